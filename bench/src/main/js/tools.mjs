// A server on standard input and output with as many tools as it is told: those of the test data of the search, over and
// over, each time by another name. The tool `echo` answers what it is given.
//
// Arguments: how many tools, and which is the first
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const data = path.join(here, '../../../../search/src/test/resources/dev/fusebox/search/tools.tsv');
const [many, first] = process.argv.slice(2).map(Number);
const rows = fs.readFileSync(data, 'utf8').trim().split('\n').map((line) => line.split('\t'));
const schema = { type: 'object', properties: { text: { type: 'string' } } };
const tools = [{ name: 'echo', description: 'Answers what it is given.', inputSchema: { type: 'object' } }];
for (let i = first; tools.length < many; i++) {
  const [group, name, description] = rows[i % rows.length];
  const round = Math.floor(i / rows.length);
  const words = round === 0 ? description : `${description} In ${group} number ${round}.`;
  tools.push({ name: `${name.replaceAll(/\W/g, '_')}_${i}`, description: words, inputSchema: schema });
}

const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  switch (method) {
    case 'initialize':
      return say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'tools', version: '1' } } });
    case 'tools/list':
      return say({ id, result: { tools } });
    case 'tools/call':
      return say({ id, result: { content: [{ type: 'text', text: String(params.arguments?.message) }] } });
    default:
      return id === undefined ? undefined : say({ id, error: { code: -32601, message: 'there is no such method' } });
  }
});
