/// Execution of scripts that models write; [dev.fusebox.sandbox.Sandbox] is the entry point.
package dev.fusebox.sandbox;
