package dev.fusebox.config;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Recognizes secrets by the name of a value and by patterns of its text. Pure functions.
final class SecretPatterns {
    /// Without `auth` and `private`, which also occur in the names of other values: `AUTH_MODE`,
    /// `PRIVATE_REPOSITORY`.
    private static final Pattern STRONG_NAME = Pattern.compile("(?i)token|secret|passw|passphrase|\\bpass\\b"
            + "|_pass\\b|pwd|\\bpw\\b|_pw\\b|\\bpat\\b|_pat\\b|credential|cookie|bearer|jwt"
            + "|api[-_]?key|access[-_]?key|authorization");

    private static final Pattern PASSWORD_NAME = Pattern.compile("(?i)passw|passphrase|pwd|secret|_pass\\b|\\bpass\\b");

    private static final Pattern HARMLESS_WORD = Pattern.compile("(?i)true|false|yes|no|on|off|none|null|\\*+");
    private static final Pattern SMALL_NUMBER = Pattern.compile("\\d{1,6}");
    static final Pattern FILE = Pattern.compile("(~|\\.{1,2}|[A-Za-z]:)?[/\\\\].+");
    private static final Pattern PLAIN_ADDRESS =
            Pattern.compile("https?://[A-Za-z0-9.-]+(?::\\d{1,5})?(?:/[A-Za-z0-9_.-]{1,20})*/?");

    /// A variable without a default, or one that the user is asked for: no text of its own.
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{(?:env:|input:)?[A-Za-z0-9_.-]+}");

    /// Prefixes by which issuers make their tokens recognizable, and JSON Web Tokens.
    private static final Pattern KNOWN =
            Pattern.compile("(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}"
                    + "|glpat-[A-Za-z0-9_-]{16,}|sk-(?=[A-Za-z_-]*\\d)[A-Za-z0-9_-]{16,}"
                    + "|[srp]k_(?:live|test)_[A-Za-z0-9]{10,}"
                    + "|xox[abeoprs]-[A-Za-z0-9-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{16}"
                    + "|AIza[A-Za-z0-9_-]{30,}|ya29\\.[A-Za-z0-9_-]{20,}"
                    + "|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{30,}|hf_[A-Za-z0-9]{20,}"
                    + "|secret_[A-Za-z0-9]{20,}|dop_v1_[a-f0-9]{32,}"
                    + "|SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}|lin_api_[A-Za-z0-9]{20,}|ntn_[A-Za-z0-9]{20,}"
                    + "|eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}(?:\\.[A-Za-z0-9_-]*)?"
                    + "|-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*-----)?)");

    /// A value under a name within a text: `"apiKey": "x"` in JSON, and `Password=x` in a connection string.
    private static final Pattern NAMED = Pattern.compile("\"(?<key>[A-Za-z0-9_.-]{1,64})\"\\s*:\\s*\""
            + "(?:(?i:bearer|basic|token|apikey|key)\\s+)?(?<text>[^\"]+)\""
            + "|(?<![A-Za-z0-9_.-])(?<name>[A-Za-z0-9_.-]{1,64})=(?<value>[^\\s;&,\"']+)");

    /// Shorter ones are often words.
    private static final Pattern LONG_WORD = Pattern.compile("[A-Za-z0-9_+-]{24,}={0,2}");

    private static final Pattern IDENTIFIER = Pattern.compile("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    /// In front of the digest of an image or the commit of a package, which are public.
    private static final String PINS = "@#:";

    /// In random text about half of all neighboring characters are of different kinds; in words and names few are.
    private static final double LEAST_CHANGES = 0.3;

    private SecretPatterns() {}

    /// A part of a text that is a secret.
    record Span(int from, int to) {}

    /// Whether a value under this name is a secret as a whole.
    static boolean isSecret(String name, String value) {
        return ServerSecrets.SECRET_NAME.matcher(name).find() && !isHarmless(name, value);
    }

    private static boolean isHarmless(String name, String value) {
        String literal = REFERENCE.matcher(value).replaceAll("").strip();
        boolean hasReference = !literal.equals(value.strip());
        if (literal.isEmpty() || (hasReference && spans(literal).isEmpty())) {
            return true;
        }
        boolean isPassword = PASSWORD_NAME.matcher(name).find();
        boolean isWeak = !STRONG_NAME.matcher(name).find();
        boolean isPlace = FILE.matcher(value).matches()
                || PLAIN_ADDRESS.matcher(value).matches()
                || ServerSecrets.PLACE.matcher(value).matches();
        return HARMLESS_WORD.matcher(value).matches()
                || (!isPassword && SMALL_NUMBER.matcher(value).matches())
                || (isPlace && spans(value).isEmpty())
                || (isWeak && ServerSecrets.PLAIN.matcher(value).matches());
    }

    /// The parts of a text that are secrets by their shape, whatever the text is called, in their order.
    static List<Span> spans(String text) {
        List<Span> spans = new ArrayList<>();
        ServerSecrets.PASSWORD
                .matcher(text)
                .results()
                .filter(found -> !isReference(found.group(1)))
                .map(found -> new Span(found.start(1), found.end(1)))
                .forEach(spans::add);
        NAMED.matcher(text).results().flatMap(SecretPatterns::named).forEach(span -> addApart(span, spans));
        KNOWN.matcher(text).results().map(SecretPatterns::span).forEach(span -> addApart(span, spans));
        LONG_WORD
                .matcher(text)
                .results()
                .filter(found -> isRandom(found.group()) && !isPin(text, found))
                .map(SecretPatterns::span)
                .forEach(span -> addApart(span, spans));
        return spans.stream()
                .sorted((one, other) -> Integer.compare(one.from(), other.from()))
                .toList();
    }

    /// The value of what was found, if it is a secret under its name.
    private static Stream<Span> named(MatchResult found) {
        boolean isQuoted = found.group("key") != null;
        String name = found.group(isQuoted ? "key" : "name");
        String value = isQuoted ? "text" : "value";
        return isSecret(name, found.group(value))
                ? Stream.of(new Span(found.start(value), found.end(value)))
                : Stream.empty();
    }

    private static Span span(MatchResult found) {
        return new Span(found.start(), found.end());
    }

    private static void addApart(Span span, List<Span> spans) {
        if (spans.stream().noneMatch(other -> span.from() < other.to() && other.from() < span.to())) {
            spans.add(span);
        }
    }

    private static boolean isReference(String text) {
        return REFERENCE.matcher(text).replaceAll("").isEmpty();
    }

    private static boolean isPin(String text, MatchResult found) {
        return found.start() > 0 && PINS.indexOf(text.charAt(found.start() - 1)) >= 0;
    }

    private static boolean isRandom(String word) {
        Matcher identifier = IDENTIFIER.matcher(word);
        if (identifier.matches() || word.chars().noneMatch(Character::isDigit)) {
            return false;
        }
        int changes = 0;
        for (int at = 1; at < word.length(); at++) {
            changes += kind(word.charAt(at)) == kind(word.charAt(at - 1)) ? 0 : 1;
        }
        return changes >= LEAST_CHANGES * word.length();
    }

    private static int kind(char c) {
        if (Character.isDigit(c)) {
            return 0;
        }
        return Character.isUpperCase(c) ? 1 : 2;
    }
}
