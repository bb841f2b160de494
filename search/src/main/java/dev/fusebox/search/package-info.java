/// Search by words and by meaning: a [dev.fusebox.search.SearchIndex] of documents, and a model that embeds them.
@org.jspecify.annotations.NullMarked
package dev.fusebox.search;
