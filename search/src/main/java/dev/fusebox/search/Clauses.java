package dev.fusebox.search;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// The parts of a long query that may each need a tool of their own: its sentences, and the steps of a task such as
/// "find the invoice, then send it to the accountant". Stateless, thread-safe.
final class Clauses {
    /// Shorter parts say too little on their own.
    private static final int LEAST_WORDS = 3;

    private static final int MOST = 6;

    /// Texts of this length are read; queries may be as long as a caller likes.
    private static final int LONGEST = 4_000;

    private static final Pattern BOUNDARY = Pattern.compile(
            "(?<=[.!?;])\\s+|[\\r\\n]+(?:\\s*(?:then|after\\s+that|finally)[\\s,]+)?"
                    + "|,?\\s+(?:and\\s+then|and\\s+also|then|after\\s+that|afterwards|finally"
                    + "|as\\s+well\\s+as)[\\s,]+",
            Pattern.CASE_INSENSITIVE);

    private Clauses() {}

    /// The clauses; none if the query is a single one.
    static List<String> of(String query) {
        String read = query.length() > LONGEST ? query.substring(0, LONGEST) : query;
        List<String> clauses = new ArrayList<>();
        for (String part : BOUNDARY.split(read, -1)) {
            String clause = part.strip();
            if (clauses.size() < MOST && hasEnoughWords(clause)) {
                clauses.add(clause);
            }
        }
        return clauses.size() < 2 ? List.of() : List.copyOf(clauses);
    }

    private static boolean hasEnoughWords(String clause) {
        int words = 0;
        for (int i = 0; i < clause.length(); i++) {
            boolean begins = i == 0 || Character.isWhitespace(clause.charAt(i - 1));
            words += begins && !Character.isWhitespace(clause.charAt(i)) ? 1 : 0;
        }
        return words >= LEAST_WORDS;
    }
}
