import dns from 'node:dns';
import fs from 'node:fs';
import net from 'node:net';
import http from 'node:http';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';
import timers from 'node:timers';
import threads from 'node:worker_threads';
import zlib from 'node:zlib';
import type { NodeModules } from '#obsidian/platform/node-modules';

/** Node's modules, as the desktop app provides them. */
export const NODE: NodeModules = {
  fs,
  path,
  net,
  http,
  https,
  timers,
  os,
  dns,
  zlib,
  threads,
};
