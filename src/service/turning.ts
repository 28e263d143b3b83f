/** All that a turn needs which nothing needs before the first. */
export { DirectTools } from './direct-tools';
export { ToolRoom } from './tool-room';
export { TurnRunner } from './turn-runner';
