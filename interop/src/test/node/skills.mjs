// The skills of a server as the official client's support for skills sees them, which verifies every file. Arguments:
// a target as for peer.mjs, and the mode of the client as in era-peer.mjs.
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { MODES, connected } from './era-peer.mjs';

const target = JSON.parse(process.argv[2]);
const mode = MODES[process.argv[3]];

// The first list waits for all servers. Before that, a gateway does not know which of them have skills.
const first = await connected(target, mode);
await first.listTools();
await first.close();

const client = await connected(target, mode);
// The front matter of our skills is of this form.
const parseFrontmatter = (yaml) => Object.fromEntries(yaml.trim().split('\n').map((line) => line.split(/: (.*)/).slice(0, 2)));
const skills = new SkillsClient(client, { parseFrontmatter });
const seen = { era: client.getProtocolEra(), supported: skills.supported, directoryRead: skills.directoryRead, skills: {} };
let cursor;
do {
  const page = await skills.list(cursor === undefined ? {} : { cursor });
  for (const { uri } of page.skills) {
    const { skill } = await skills.get(uri);
    const files = [];
    for (const resource of skill.resources) {
      const file = await skills.read(skill, resource.uri);
      files.push({ uri: file.uri, verified: file.verified, text: file.text });
    }
    const { resources } = await skills.readDirectory(uri.replace(/\/SKILL\.md$/, ''));
    seen.skills[uri] = { name: skill.frontmatter.name, files, children: resources.map((resource) => resource.uri) };
  }
  cursor = page.nextCursor;
} while (cursor !== undefined);
await client.close();
process.stdout.write(`${JSON.stringify(seen)}\n`);
process.exit(0);
