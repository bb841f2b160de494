// A script of everything a client can do with the scripted server, part by part. The argument is a target; a second one
// stands before the names of all tools and prompts, and a third names parts that are left out, with commas between.
import { createHash } from 'node:crypto';
import { Peer, pages, report } from './peer.mjs';

const peer = new Peer(JSON.parse(process.argv[2]));
const { client } = peer;
const prefix = process.argv[3] ?? '';
peer.prefix = prefix;
const WATCHED = 'test://watched-resource';

/** What the server said during the action, of this method: it has said all before it answers. */
async function saidDuring(method, count, action) {
  peer.heard = [];
  const answer = await action();
  return { said: await peer.take(method, count), answer };
}

/** Of a text that is too long to be printed. */
function summary({ content: [{ text }] }) {
  return { length: text.length, digest: createHash('sha256').update(text).digest('hex') };
}

async function error(action) {
  return (await peer.answerTo(action)).error;
}

const parts = {
  initialize: () => peer.connect(),
  ping: () => peer.answerTo(() => client.ping()),

  tools: () => pages(peer, 'listTools'),
  text: () => peer.call('echo', { text: 'Grüße, 世界 🌍 \u2028 "quoted" \\ \u0000 </script>' }),
  structure: () => peer.call('add', { a: 2, b: 40 }),
  image: () => peer.call('test_image_content'),
  audio: () => peer.call('test_audio_content'),
  mixture: () => peer.call('test_multiple_content_types'),
  failure: () => peer.call('fail', { text: 'it is broken' }),
  unknownTool: () => peer.call('there-is-no-such-tool'),
  unknownMethod: () => error(() => client.request({ method: 'no/such-method' }, { parse: (it) => it })),
  big: async () => summary(await peer.call('big', { bytes: 3_000_000 })),
  bigArgument: async () => summary(await peer.call('echo', { text: 'Größe'.repeat(200_000) })),
  many: async () => {
    const texts = Array.from({ length: 50 }, (_, index) => `number ${index}`);
    const results = await Promise.all(
      texts.map((text) => client.callTool({ name: `${prefix}echo`, arguments: { text } })),
    );
    return results.map((result) => result.content[0].text);
  },
  // Each call over HTTP has a stream of its own, and all are open at once.
  manyStreams: async () => {
    peer.heard = [];
    await Promise.all(
      Array.from({ length: 50 }, () =>
        client.callTool({ name: `${prefix}test_tool_with_progress` }, undefined, { onprogress: () => {} }),
      ),
    );
    const said = await peer.take('notifications/progress', 150);
    return Object.values(Object.groupBy(said, (message) => message.params.progressToken)).map((steps) =>
      steps.map((message) => message.params.progress),
    );
  },
  // The token that comes back must be the one that this client made.
  progress: () =>
    saidDuring('notifications/progress', 3, () =>
      peer.call('test_tool_with_progress', {}, { onprogress: () => {} }),
    ),
  logging: async () => {
    const level = await peer.answerTo(() => client.setLoggingLevel('debug'));
    const loud = await saidDuring('notifications/message', 3, () => peer.call('test_tool_with_logging'));
    await client.setLoggingLevel('error');
    const quiet = await saidDuring('notifications/message', 0, () => peer.call('test_tool_with_logging'));
    return { level, loud, quiet };
  },
  cancellation: async () => {
    const stop = new AbortController();
    const progressing = { signal: stop.signal, onprogress: () => stop.abort('changed my mind') };
    const given = await client
      .callTool({ name: `${prefix}echo`, arguments: { fault: 'progress-forever=20' } }, undefined, progressing)
      .catch((reason) => String(reason));
    // The server writes it down on a thread of its own, so it may take a few questions.
    let cancelled = '0';
    for (let asked = 0; cancelled === '0' && asked < 1000; asked++) {
      cancelled = (await peer.call('count', { tool: 'echo:cancelled' })).content[0].text;
    }
    return { given, cancelled };
  },

  sampling: () =>
    saidDuring('sampling/createMessage', 1, () => peer.call('test_sampling', { prompt: 'What is new?' })),
  elicitation: async () => {
    peer.replies = [
      { action: 'accept', content: { response: 'yes, please' } },
      { action: 'decline' },
      { action: 'cancel' },
    ];
    const answers = [];
    for (const message of ['First?', 'Second?', 'Third?']) {
      answers.push(await saidDuring('elicitation/create', 1, () => peer.call('test_elicitation', { message })));
    }
    return answers;
  },
  choices: () =>
    saidDuring('elicitation/create', 1, () => {
      peer.replies = [{ action: 'accept', content: { titledSingle: 'value2', untitledMulti: ['option3'] } }];
      return peer.call('test_elicitation_sep1330_enums');
    }),
  manyQuestions: async () => {
    peer.heard = [];
    const prompts = Array.from({ length: 20 }, (_, index) => `question ${index}`);
    const results = await Promise.all(
      prompts.map((prompt) => client.callTool({ name: `${prefix}test_sampling`, arguments: { prompt } })),
    );
    const asked = (await peer.take('sampling/createMessage', prompts.length)).length;
    return { asked, answers: results.map((result) => result.content[0].text) };
  },
  roots: async () => {
    await client.sendRootsListChanged();
    return saidDuring('roots/list', 1, () => peer.call('roots'));
  },
  unknownQuestion: () => peer.call('echo', { text: 'asked', fault: 'client-request=unknown/method' }),

  resources: () => pages(peer, 'listResources'),
  templates: () => pages(peer, 'listResourceTemplates'),
  readText: () => peer.answerTo(() => client.readResource({ uri: 'test://static-text' })),
  readBinary: () => peer.answerTo(() => client.readResource({ uri: 'test://static-binary' })),
  readTemplate: () => peer.answerTo(() => client.readResource({ uri: 'test://template/7/data' })),
  readNothing: () => error(() => client.readResource({ uri: 'test://nothing' })),
  subscription: async () => {
    const subscribed = await peer.answerTo(() => client.subscribeResource({ uri: WATCHED }));
    const watched = await saidDuring('notifications/resources/updated', 1, () =>
      peer.call('touch', { uri: WATCHED }),
    );
    const unsubscribed = await peer.answerTo(() => client.unsubscribeResource({ uri: WATCHED }));
    await peer.call('touch', { uri: WATCHED });
    return { subscribed, watched, unsubscribed };
  },
  // Comes right after the end of the subscription: an update that should not be there would be heard by now.
  change: async () => {
    const change = () => peer.call('test_trigger_tool_change');
    const name = `${prefix}tool-of-change`;
    const has = async () =>
      (await pages(peer, 'listTools')).flatMap((page) => page.tools).some((tool) => tool.name === name);
    peer.heard = peer.heard.filter((message) => message.method === 'notifications/resources/updated');
    const added = await change();
    const afterAdding = await peer.take('notifications/tools/list_changed', 1);
    const there = await has();
    const removed = await change();
    const afterRemoving = await peer.take('notifications/tools/list_changed', 1);
    const gone = !(await has());
    return { added, afterAdding, there, removed, afterRemoving, gone, left: peer.heard };
  },

  prompts: () => pages(peer, 'listPrompts'),
  promptSimple: () => peer.answerTo(() => client.getPrompt({ name: `${prefix}test_simple_prompt` })),
  promptWithArguments: () =>
    peer.answerTo(() =>
      client.getPrompt({ name: `${prefix}test_prompt_with_arguments`, arguments: { arg1: 'eins', arg2: 'zwei' } }),
    ),
  promptWithoutArguments: () => error(() => client.getPrompt({ name: `${prefix}test_prompt_with_arguments` })),
  completion: () =>
    peer.answerTo(() =>
      client.complete({
        ref: { type: 'ref/prompt', name: `${prefix}test_prompt_with_arguments` },
        argument: { name: 'arg1', value: 'par' },
      }),
    ),
};

process.argv[4]?.split(',').forEach((part) => delete parts[part]);
await report(parts);
await peer.close();
