/// The gateway's own tools: what a client sees in place of all tools of all servers. One more is a class that is
/// an [OwnTool] and a place in the menu.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.tools;
