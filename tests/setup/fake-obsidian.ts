/** The document and the globals that Obsidian gives to plugins, for every test that runs without the app. */
import '#workbench/dom/headless-dom';
import { installFakeHost } from '#workbench/obsidian/install';

installFakeHost();
