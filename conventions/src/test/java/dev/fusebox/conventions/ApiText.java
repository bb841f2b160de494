package dev.fusebox.conventions;

import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The public and protected API of types as text: one line for each type and each of its members, sorted.
/// Stateless.
final class ApiText {
    private static final Set<String> GIVEN_BY_ENUM = Set.of("values", "valueOf");
    private static final Set<String> GIVEN_BY_RECORD = Set.of("equals", "hashCode", "toString");

    private ApiText() {}

    static List<String> of(Stream<Class<?>> types) {
        return types.filter(ApiText::isSeen)
                .sorted(Comparator.comparing(Class::getName))
                .flatMap(ApiText::linesOf)
                .toList();
    }

    private static Stream<String> linesOf(Class<?> type) {
        var members = new TreeSet<String>();
        for (Class<?> from = type; from != null && (from == type || !isSeen(from)); from = from.getSuperclass()) {
            addMembers(type, from, members);
        }
        Stream<String> lines =
                Stream.concat(Stream.of(headOf(type)), members.stream().map(line -> "  " + line));
        return lines.map(line -> simple(type) + ": " + line);
    }

    /// Declarations of a hidden supertype are accessible through its subtype.
    private static void addMembers(Class<?> type, Class<?> from, Set<String> lines) {
        if (from == type) {
            seen(type, type.getDeclaredConstructors())
                    .filter(it -> !isCanonical(type, it))
                    .map(it -> executable(it, simple(type)))
                    .forEach(lines::add);
        }
        seen(type, from.getDeclaredFields()).map(ApiText::field).forEach(lines::add);
        seen(type, from.getDeclaredMethods())
                .filter(method -> !isGiven(type, method))
                .map(ApiText::method)
                .forEach(lines::add);
    }

    private static String headOf(Class<?> type) {
        return words(
                modifiers(type.getModifiers() & ~(type.isInterface() ? Modifier.ABSTRACT : 0)),
                type.isSealed() ? "sealed" : "",
                kindOf(type),
                simple(type) + typeParameters(type.getTypeParameters()) + components(type),
                after("extends", superclass(type)),
                after(type.isInterface() ? "extends" : "implements", types(type.getAnnotatedInterfaces())),
                after("permits", permitted(type)));
    }

    private static String kindOf(Class<?> type) {
        if (type.isAnnotation()) {
            return "@interface";
        }
        if (type.isInterface()) {
            return "interface";
        }
        return type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
    }

    private static String components(Class<?> type) {
        if (!type.isRecord()) {
            return "";
        }
        return Arrays.stream(type.getRecordComponents())
                .map(component -> type(component.getAnnotatedType()) + " " + component.getName())
                .collect(Collectors.joining(", ", "(", ")"));
    }

    private static String superclass(Class<?> type) {
        Class<?> above = type.getSuperclass();
        boolean isPlain = above == null || above == Object.class || above == Record.class || above == Enum.class;
        return isPlain ? "" : type(type.getAnnotatedSuperclass());
    }

    private static String permitted(Class<?> type) {
        if (!type.isSealed()) {
            return "";
        }
        return Arrays.stream(type.getPermittedSubclasses())
                .map(ApiText::simple)
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private static String field(Field field) {
        return words(modifiers(field.getModifiers()), type(field.getAnnotatedType()), field.getName());
    }

    private static String method(Method method) {
        String text = executable(method, type(method.getAnnotatedReturnType()) + " " + method.getName());
        return method.isDefault() ? "default " + text : text;
    }

    private static String executable(Executable it, String name) {
        return words(
                modifiers(
                        it.getModifiers() & (it instanceof Method ? Modifier.methodModifiers() : ~Modifier.TRANSIENT)),
                typeParameters(it.getTypeParameters()),
                name + parameters(it),
                after("throws", types(it.getAnnotatedExceptionTypes())));
    }

    private static String parameters(Executable it) {
        String parameters = Arrays.stream(it.getParameters())
                .map(Parameter::getAnnotatedType)
                .map(ApiText::type)
                .collect(Collectors.joining(", "));
        return "(" + (it.isVarArgs() ? parameters.replaceFirst("\\[]$", "...") : parameters) + ")";
    }

    private static String typeParameters(TypeVariable<?>[] variables) {
        return variables.length == 0
                ? ""
                : join(variables, variable -> words(variable.getName(), after("extends", bounds(variable))), "<", ">");
    }

    private static String bounds(TypeVariable<?> variable) {
        String bounds =
                Arrays.stream(variable.getAnnotatedBounds()).map(ApiText::type).collect(Collectors.joining(" & "));
        return bounds.equals("Object") ? "" : bounds;
    }

    private static String types(AnnotatedType[] types) {
        return join(types, ApiText::type, "", "");
    }

    /// Nullness is part of the API, so annotations on types are kept.
    private static String type(AnnotatedType type) {
        return type.toString()
                .replace("@org.jspecify.annotations.Nullable()", "@Nullable")
                .replaceAll("\\b(java\\.lang|dev\\.fusebox\\.\\w+)\\.(?=[@A-Z])", "")
                .replace('$', '.');
    }

    private static String simple(Class<?> type) {
        return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
    }

    /// Its parameters are in the line of the record.
    private static boolean isCanonical(Class<?> type, Executable constructor) {
        return type.isRecord()
                && Arrays.equals(
                        constructor.getParameterTypes(),
                        Arrays.stream(type.getRecordComponents())
                                .map(RecordComponent::getType)
                                .toArray());
    }

    private static boolean isGiven(Class<?> type, Method method) {
        String name = method.getName();
        if (type.isRecord()) {
            Stream<String> components =
                    Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName);
            return (method.getParameterCount() == 0 && components.anyMatch(name::equals))
                    || GIVEN_BY_RECORD.contains(name);
        }
        return type.isEnum() && GIVEN_BY_ENUM.contains(name);
    }

    private static boolean isSeen(Class<?> type) {
        Class<?> around = type.getDeclaringClass();
        return !type.isSynthetic()
                && !type.isAnonymousClass()
                && !type.isLocalClass()
                && isSeen(type.getModifiers())
                && (around == null || isSeen(around));
    }

    private static boolean isSeen(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static <M extends Member> Stream<M> seen(Class<?> type, M[] members) {
        boolean isClosed = Modifier.isFinal(type.getModifiers());
        return Arrays.stream(members)
                .filter(member -> !member.isSynthetic())
                .filter(member -> isClosed ? Modifier.isPublic(member.getModifiers()) : isSeen(member.getModifiers()));
    }

    private static String modifiers(int modifiers) {
        int said = modifiers & ~(Modifier.INTERFACE | Modifier.SYNCHRONIZED | Modifier.NATIVE | Modifier.STRICT);
        return Modifier.toString(said);
    }

    private static <T> String join(T[] parts, Function<T, String> text, String before, String after) {
        return Arrays.stream(parts).map(text).collect(Collectors.joining(", ", before, after));
    }

    private static String after(String keyword, String text) {
        return text.isEmpty() ? "" : keyword + " " + text;
    }

    private static String words(String... words) {
        return Stream.of(words).filter(word -> !word.isEmpty()).collect(Collectors.joining(" "));
    }
}
