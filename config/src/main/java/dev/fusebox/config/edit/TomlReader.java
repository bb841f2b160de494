package dev.fusebox.config.edit;

import dev.fusebox.protocol.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads as much of TOML 1.0 as finding tables takes, and all texts, lists and inline tables in it. Values of other
/// kinds become texts. Used once, for one thread.
final class TomlReader {
    private static final Pattern BARE = Pattern.compile("[A-Za-z0-9_-]+");
    private static final Pattern PLAIN = Pattern.compile("[^\\s,\\]}#=\"']+( [0-9:.]+[^\\s,\\]}#]*)?");
    private static final Pattern JSON_PLAIN = Pattern.compile("true|false|-?(0|[1-9][0-9]{0,14})");

    /// Far deeper than any file of a client, and far less than what a thread's stack holds.
    private static final int DEEPEST = 64;

    private final String text;
    private int at;
    private int depth;
    private List<String> header = List.of();
    private final List<Header> headers = new ArrayList<>();
    private final List<Entry> entries = new ArrayList<>();

    /// The beginning of a table.
    ///
    /// @param at where its line begins
    record Header(List<String> path, int at) {}

    /// A value under its whole path.
    ///
    /// @param header of its table
    record Entry(List<String> header, List<String> path, String json) {}

    private TomlReader(String text) {
        this.text = text;
    }

    static TomlReader read(String text) throws Unreadable {
        TomlReader reader = new TomlReader(text);
        reader.skip("\uFEFF");
        while (!reader.isOver()) {
            reader.line();
        }
        return reader;
    }

    List<Header> headers() {
        return headers;
    }

    List<Entry> entries() {
        return entries;
    }

    private void line() throws Unreadable {
        int start = at;
        space();
        if (skip("[[")) {
            table(start, "]]");
        } else if (skip("[")) {
            table(start, "]");
        } else if (!isLineOver()) {
            List<String> path = new ArrayList<>(header);
            path.addAll(key());
            expect("=");
            value(path);
        }
        endLine();
    }

    private void table(int start, String end) throws Unreadable {
        header = key();
        headers.add(new Header(header, start));
        expect(end);
    }

    private List<String> key() throws Unreadable {
        List<String> key = new ArrayList<>();
        do {
            space();
            char next = peek();
            key.add(next == '"' || next == '\'' ? string() : token(BARE));
            space();
        } while (skip("."));
        return key;
    }

    private String token(Pattern pattern) throws Unreadable {
        Matcher matcher = pattern.matcher(text).region(at, text.length());
        if (!matcher.lookingAt()) {
            throw wrong();
        }
        at = matcher.end();
        return matcher.group();
    }

    // ---- Values

    /// Tables on one line are entries as well.
    private void value(List<String> path) throws Unreadable {
        space();
        if (peek() == '{') {
            deeper();
            inlineTable(path);
            depth--;
        } else {
            entries.add(new Entry(header, List.copyOf(path), value()));
        }
    }

    private void deeper() throws Unreadable {
        depth++;
        if (depth > DEEPEST) {
            throw new Unreadable("is nested deeper than " + DEEPEST + " levels, in line " + lineNumber());
        }
    }

    private void inlineTable(List<String> path) throws Unreadable {
        expect("{");
        space();
        while (!skip("}")) {
            List<String> inner = new ArrayList<>(path);
            inner.addAll(key());
            expect("=");
            value(inner);
            space();
            if (!skip(",") && peek() != '}') {
                throw wrong();
            }
            space();
        }
    }

    /// As JSON.
    private String value() throws Unreadable {
        char next = peek();
        if (next == '"' || next == '\'') {
            return JsonWriter.quoted(string());
        }
        if (skip("[")) {
            deeper();
            String list = list();
            depth--;
            return list;
        }
        String plain = token(PLAIN);
        return JSON_PLAIN.matcher(plain).matches() ? plain : JsonWriter.quoted(plain);
    }

    private String list() throws Unreadable {
        List<String> elements = new ArrayList<>();
        lines();
        while (!skip("]")) {
            if (peek() == '{') {
                // Under a path that no table has: nobody here asks for what is in a list of tables.
                deeper();
                inlineTable(List.of("", "", "", ""));
                depth--;
                elements.add("null");
            } else {
                elements.add(value());
            }
            lines();
            if (!skip(",") && peek() != ']') {
                throw wrong();
            }
            lines();
        }
        return "[" + String.join(",", elements) + "]";
    }

    // ---- Texts

    private String string() throws Unreadable {
        if (skip("\"\"\"")) {
            return basic("\"\"\"", trimmed());
        }
        if (skip("'''")) {
            return literal("'''", trimmed());
        }
        return skip("\"") ? basic("\"", at) : literal("'", ++at);
    }

    /// A line end right behind three quotes is none of the text.
    private int trimmed() {
        if (!skip("\r\n")) {
            skip("\n");
        }
        return at;
    }

    private String literal(String end, int from) throws Unreadable {
        int close = text.indexOf(end, from);
        if (close < 0) {
            throw wrong();
        }
        at = close + end.length();
        return text.substring(from, close);
    }

    private String basic(String end, int from) throws Unreadable {
        at = from;
        StringBuilder read = new StringBuilder();
        while (!skip(end)) {
            char c = peek();
            if (isOver() || (c == '\n' && end.length() == 1)) {
                throw wrong();
            }
            at++;
            if (c == '\\') {
                escape(read);
            } else {
                read.append(c);
            }
        }
        return read.toString();
    }

    private void escape(StringBuilder into) throws Unreadable {
        char c = peek();
        at++;
        switch (c) {
            case 'b' -> into.append('\b');
            case 't' -> into.append('\t');
            case 'n' -> into.append('\n');
            case 'f' -> into.append('\f');
            case 'r' -> into.append('\r');
            case '"', '\\' -> into.append(c);
            case 'u' -> into.appendCodePoint(hex(4));
            case 'U' -> into.appendCodePoint(hex(8));
            case ' ', '\t', '\r', '\n' -> lines();
            default -> throw wrong();
        }
    }

    private int hex(int digits) throws Unreadable {
        int end = Math.min(at + digits, text.length());
        try {
            int code = Integer.parseInt(text.substring(at, end), 16);
            at = end;
            return Character.isValidCodePoint(code) ? code : 0xFFFD;
        } catch (NumberFormatException noHex) {
            throw wrong();
        }
    }

    // ---- Between

    private void expect(String what) throws Unreadable {
        space();
        if (!skip(what)) {
            throw wrong();
        }
    }

    private void endLine() throws Unreadable {
        space();
        if (peek() == '#') {
            at = Math.max(at, text.indexOf('\n', at) < 0 ? text.length() : text.indexOf('\n', at));
        }
        skip("\r");
        if (!isOver() && !skip("\n")) {
            throw wrong();
        }
    }

    /// Space, line ends and comments.
    private void lines() {
        while (!isOver() && (Character.isWhitespace(peek()) || peek() == '#')) {
            if (peek() == '#') {
                at = text.indexOf('\n', at) < 0 ? text.length() - 1 : text.indexOf('\n', at);
            }
            at++;
        }
    }

    private void space() {
        while (peek() == ' ' || peek() == '\t') {
            at++;
        }
    }

    private boolean isLineOver() {
        return isOver() || peek() == '#' || peek() == '\n' || peek() == '\r';
    }

    private boolean isOver() {
        return at >= text.length();
    }

    private char peek() {
        return isOver() ? '\0' : text.charAt(at);
    }

    private boolean skip(String what) {
        boolean is = text.startsWith(what, at);
        at += is ? what.length() : 0;
        return is;
    }

    private Unreadable wrong() {
        return new Unreadable("is not TOML, in line " + lineNumber());
    }

    private long lineNumber() {
        return 1
                + text.substring(0, Math.min(at, text.length()))
                        .chars()
                        .filter(c -> c == '\n')
                        .count();
    }
}
