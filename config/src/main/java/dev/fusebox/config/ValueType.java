package dev.fusebox.config;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The type of a value: reads it, and describes the valid values in words and as a JSON Schema.
/// Immutable.
///
/// @param <T> what it is in Java
interface ValueType<T> {
    /// Null if it is invalid; then an error was reported at the location.
    @Nullable
    T read(JsonView value, SourceLocation location);

    /// For people, as in `whole number, 1 to 10`.
    String words();

    /// Writes the members of its schema into an object.
    void describe(JsonWriter schema);

    /// Text that means something as it stands.
    record Text() implements ValueType<String> {
        @Override
        public @Nullable String read(JsonView value, SourceLocation location) {
            String text = anyText(value, location);
            if (text != null && text.isEmpty()) {
                location.error("is empty");
                return null;
            }
            return text;
        }

        @Override
        public String words() {
            return "text";
        }

        @Override
        public void describe(JsonWriter schema) {
            schema.name("type").string("string").name("minLength").number(1);
        }

        /// No text may contain a NUL, which terminates texts in the operating system.
        private static @Nullable String anyText(JsonView value, SourceLocation location) {
            String text = value.string();
            if (text == null) {
                location.error("is not a string");
            } else if (text.indexOf('\0') >= 0) {
                location.error("contains a NUL character");
                return null;
            }
            return text;
        }
    }

    /// Text in which variables are expanded later.
    record Template() implements ValueType<Template.Written> {
        /// @param text as it stands in the file
        /// @param location where
        record Written(String text, SourceLocation location) {}

        @Override
        public @Nullable Written read(JsonView value, SourceLocation location) {
            String text = Text.anyText(value, location);
            return text == null ? null : new Written(text, location);
        }

        @Override
        public String words() {
            return "text with variables";
        }

        @Override
        public void describe(JsonWriter schema) {
            schema.name("type").string("string");
        }
    }

    /// True or false.
    record Flag() implements ValueType<Boolean> {
        @Override
        public @Nullable Boolean read(JsonView value, SourceLocation location) {
            if (value.isTrue()) {
                return true;
            }
            if (value.json().equals("false")) {
                return false;
            }
            location.error("is neither true nor false");
            return null;
        }

        @Override
        public String words() {
            return "true or false";
        }

        @Override
        public void describe(JsonWriter schema) {
            schema.name("type").string("boolean");
        }
    }

    /// A whole number within bounds.
    record Whole(long least, long most) implements ValueType<Long> {
        /// 365 days, as in the breaker library: longer times are typing errors.
        static final long LONGEST_MILLIS = 31_536_000_000L;

        /// A time in milliseconds.
        static final Whole MILLIS = new Whole(1, LONGEST_MILLIS);

        /// Enough digits for every bound, and few enough for the parser.
        private static final int MAX_DIGITS = 15;

        @Override
        public @Nullable Long read(JsonView value, SourceLocation location) {
            String json = value.json();
            long number = value.isNumber() && isWhole(json) ? Long.parseLong(json) : Long.MIN_VALUE;
            if (number < least || number > most) {
                location.error("is not a whole number from " + least + " to " + most);
                return null;
            }
            return number;
        }

        /// Without a regular expression, which would be compiled at every start.
        private static boolean isWhole(String json) {
            int from = json.startsWith("-") ? 1 : 0;
            int digits = json.length() - from;
            return digits >= 1
                    && digits <= MAX_DIGITS
                    && json.chars().skip(from).allMatch(letter -> letter >= '0' && letter <= '9');
        }

        @Override
        public String words() {
            return "whole number, " + least + " to " + most;
        }

        @Override
        public void describe(JsonWriter schema) {
            schema.name("type").string("integer").name("minimum").number(least);
            schema.name("maximum").number(most);
        }
    }

    /// A number within bounds.
    ///
    /// @param least included, except for the 0 of a share
    /// @param isShare whether 0 itself is left out
    record Decimal(double least, double most, boolean isShare) implements ValueType<Double> {
        @Override
        public @Nullable Double read(JsonView value, SourceLocation location) {
            double number = value.isNumber() ? Double.parseDouble(value.json()) : Double.NaN;
            boolean isIn = number >= least && number <= most && !(isShare && number == 0);
            if (!isIn) {
                location.error("is not a " + words());
                return null;
            }
            return number;
        }

        @Override
        public String words() {
            return isShare ? "share above 0 and up to 1" : "number from " + plain(least) + " to " + plain(most);
        }

        @Override
        public void describe(JsonWriter schema) {
            schema.name("type").string("number");
            schema.name(isShare ? "exclusiveMinimum" : "minimum").raw(plain(least));
            schema.name("maximum").raw(plain(most));
        }

        private static String plain(double number) {
            return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
        }
    }

    /// One of a set of words.
    ///
    /// @param meanings what each of them means, in the order of the documentation
    /// @param later words that are not supported yet
    record Choice<T>(Map<String, T> meanings, Set<String> later) implements ValueType<T> {
        /// The constants of an enumeration by their names: `KEEP_ALIVE` is `keep-alive`.
        static <T extends Enum<T>> Choice<T> of(T[] meanings) {
            return of(meanings, Choice::word);
        }

        static String word(Enum<?> meaning) {
            return meaning.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        static Choice<Boolean> ofTwo(String no, String yes) {
            return of(new Boolean[] {false, true}, meaning -> meaning ? yes : no);
        }

        static <T> Choice<T> of(T[] meanings, Function<T, String> word) {
            Map<String, T> words = new LinkedHashMap<>();
            for (T meaning : meanings) {
                words.put(word.apply(meaning), meaning);
            }
            return new Choice<>(Collections.unmodifiableMap(words), Set.of());
        }

        @Override
        public @Nullable T read(JsonView value, SourceLocation location) {
            String word = value.string();
            if (word == null) {
                location.error("is not a string; it must be " + words());
                return null;
            }
            T meaning = meanings.get(word);
            if (meaning == null && later.contains(word)) {
                location.error("is \"" + word + "\", which is not supported yet; it must be " + words());
            } else if (meaning == null) {
                String wrong = "is " + PrintableText.quoted(word) + "; it must be " + words();
                location.error(wrong, SpellingSuggestion.nearest(word, meanings.keySet()));
            }
            return meaning;
        }

        @Override
        public String words() {
            String all = String.join(", ", meanings.keySet());
            int last = all.lastIndexOf(", ");
            return last < 0 ? all : all.substring(0, last) + " or " + all.substring(last + 2);
        }

        @Override
        public void describe(JsonWriter schema) {
            schema.name("enum").beginArray();
            meanings.keySet().forEach(schema::string);
            schema.endArray();
        }
    }
}
