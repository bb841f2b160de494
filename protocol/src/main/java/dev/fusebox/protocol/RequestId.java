package dev.fusebox.protocol;

import org.jspecify.annotations.Nullable;

/// The id of a request: a string or a number, which differ even if their texts are equal. Immutable; equal to
/// another with the same JSON value.
///
/// @param json the id as JSON text in canonical form
public record RequestId(String json) {
    /// Null if the value is neither a string nor a number.
    public static @Nullable RequestId read(JsonView value) {
        String text = value.string();
        if (text != null) {
            return of(text);
        }
        return value.isNumber() ? new RequestId(value.json()) : null;
    }

    public static RequestId of(String text) {
        StringBuilder json = new StringBuilder(text.length() + 2);
        JsonStrings.quote(json, text);
        return new RequestId(json.toString());
    }

    public static RequestId of(long number) {
        return new RequestId(Long.toString(number));
    }

    /// The number, if the gateway could have issued it: some servers return `7.0` for `7`.
    public long number() {
        String digits = json.endsWith(".0") ? json.substring(0, json.length() - 2) : json;
        if (digits.isEmpty() || digits.length() > 18 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return -1;
        }
        return Long.parseLong(digits);
    }

    // The methods generated for records are linked at run time, which would slow down the start.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RequestId id && id.json.equals(json);
    }

    @Override
    public int hashCode() {
        return json.hashCode();
    }

    @Override
    public String toString() {
        return json;
    }
}
