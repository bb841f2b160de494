package dev.fusebox.conventions;

import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.SimpleJavaFileObject;

/// An in-memory Java source, named after its package and its first type. Immutable.
final class SourceText extends SimpleJavaFileObject {
    private static final Pattern PACKAGE = Pattern.compile("package ([\\w.]+)");
    private static final Pattern TYPE = Pattern.compile("(?:class|interface|record|enum) (\\w+)");

    private final String text;

    SourceText(String text) {
        super(URI.create("string:///" + pathOf(text)), Kind.SOURCE);
        this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
    }

    private static String pathOf(String text) {
        String inPackage = first(PACKAGE, text);
        String folder = inPackage.isEmpty() ? "" : inPackage.replace('.', '/') + "/";
        return folder + first(TYPE, text) + ".java";
    }

    private static String first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.group(1) : "";
    }
}
