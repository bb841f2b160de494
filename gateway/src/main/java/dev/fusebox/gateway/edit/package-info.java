/// Changes files of configuration, ours and those of clients, so that everything else in them stays as it is.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.edit;
