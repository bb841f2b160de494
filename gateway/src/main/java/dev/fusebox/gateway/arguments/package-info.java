/// Whether the arguments of a call fit the schema of its tool, found out before anything is sent.
///
/// Schemas and patterns come from servers, so nothing here trusts them: every check has a budget of steps, patterns run
/// on a machine of their own that never goes back, nothing is fetched, and what cannot be judged is let through.
package dev.fusebox.gateway.arguments;
