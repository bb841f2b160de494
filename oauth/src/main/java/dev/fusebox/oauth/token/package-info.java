/// Tokens: the record of one login as a state machine, its storage, and refreshes that are safe across threads,
/// processes and crashes.
package dev.fusebox.oauth.token;
