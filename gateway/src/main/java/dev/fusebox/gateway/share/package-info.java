/// One gateway for all clients of a user: how a client's connector finds the gateway of its configuration file,
/// starts it and stays connected over its restarts, and how the gateway serves connectors.
package dev.fusebox.gateway.share;
