// All pages of a list of tools; `ask` gets the parameters of a page.
export async function allTools(ask) {
  const tools = [];
  let cursor;
  do {
    const page = await ask(cursor ? { cursor } : {});
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor);
  return tools;
}
