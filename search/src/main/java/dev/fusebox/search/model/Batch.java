package dev.fusebox.search.model;

import java.util.ArrayList;
import java.util.List;

/// The places of several texts in one list of rows, a row for each token. Immutable.
///
/// @param spans the rows of each text
/// @param rows the number of all rows
record Batch(List<Span> spans, int rows) {
    /// The rows of one text.
    ///
    /// @param from the first
    record Span(int from, int count) {}

    static Batch of(List<int[]> texts) {
        List<Span> spans = new ArrayList<>();
        int rows = 0;
        for (int[] text : texts) {
            spans.add(new Span(rows, text.length));
            rows += text.length;
        }
        return new Batch(List.copyOf(spans), rows);
    }
}
