/// Runs scripts of models: [dev.fusebox.sandbox.Sandbox] is where to begin.
package dev.fusebox.sandbox;
