/// Training of the word table. Not shipped: see `search/training/README.md`.
@org.jspecify.annotations.NullMarked
package dev.fusebox.search.training;
