// The echo server on standard input and output.
import { createInterface } from 'node:readline';
import { answer } from './answers.mjs';

createInterface({ input: process.stdin, crlfDelay: Infinity })
  .on('line', (line) => {
    const said = line && answer(JSON.parse(line));
    said && process.stdout.write(said + '\n');
  })
  .on('close', () => process.exit(0));
