export { backUp } from './store/back-up.ts';
