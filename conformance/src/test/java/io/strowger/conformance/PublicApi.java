package io.strowger.conformance;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleReference;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lists the public API of a module: the types of the packages that it exports to all modules, each
 * with the members that others may call or override, in a stable order.
 */
final class PublicApi {
  private static final Pattern OUR_PACKAGE =
      Pattern.compile("io\\.strowger\\.[a-z.]*[a-z](?=\\.[A-Z])");
  private static final Set<String> OBJECT_METHODS = Set.of("equals", "hashCode", "toString");

  private final Set<String> packages;

  /**
   * @param packages the public packages of all modules of this project
   */
  PublicApi(Set<String> packages) {
    this.packages = Set.copyOf(packages);
  }

  /** Returns the packages that a module exports to all modules. */
  static Set<String> packages(ModuleDescriptor module) {
    return module.exports().stream()
        .filter(exports -> !exports.isQualified())
        .map(ModuleDescriptor.Exports::source)
        .collect(Collectors.toSet());
  }

  /** Returns one line for each type, and indented below it one for each member. */
  List<String> lines(ModuleReference module) throws ClassNotFoundException {
    var types = new TreeMap<String, Class<?>>();
    Set<String> exported = packages(module.descriptor());
    for (String file : Modules.files(module)) {
      if (!file.endsWith(".class") || !file.contains("/")) {
        continue;
      }
      String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
      if (exported.contains(name.substring(0, name.lastIndexOf('.')))) {
        Class<?> type = Class.forName(name, false, PublicApi.class.getClassLoader());
        if (isPublic(type)) {
          types.put(name, type);
        }
      }
    }
    var lines = new ArrayList<String>();
    types.values().forEach(type -> add(type, lines));
    return lines;
  }

  private static boolean isPublic(Class<?> type) {
    for (Class<?> each = type; each != null; each = each.getEnclosingClass()) {
      if (each.isAnonymousClass() || each.isLocalClass() || !isOpen(each.getModifiers())) {
        return false;
      }
    }
    return true;
  }

  private static boolean isOpen(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private void add(Class<?> type, List<String> lines) {
    if (!lines.isEmpty()) {
      lines.add("");
    }
    lines.add(marked(head(type)));
    Stream.of(fields(type), constructors(type), methods(type))
        .forEach(
            members ->
                members.map(PublicApi::shorter).sorted().forEach(m -> lines.add("  " + marked(m))));
  }

  /** Returns a line in short form, with a mark if it names a type that is not public. */
  private String marked(String line) {
    Matcher names = OUR_PACKAGE.matcher(line);
    while (names.find()) {
      if (!packages.contains(names.group())) {
        return shorter(line) + "  // internal";
      }
    }
    return shorter(line);
  }

  private static String shorter(String line) {
    return line.replaceAll("\\bjava\\.lang\\.(?=[A-Z])", "");
  }

  private static String head(Class<?> type) {
    var head = new StringBuilder();
    if (Modifier.isProtected(type.getModifiers())) {
      head.append("protected ");
    }
    if (type.isSealed()) {
      head.append("sealed ");
    }
    if (Modifier.isAbstract(type.getModifiers()) && !type.isInterface() && !type.isEnum()) {
      head.append("abstract ");
    }
    if (type.isRecord()) {
      head.append("record ");
    } else if (type.isEnum()) {
      head.append("enum ");
    } else if (type.isInterface()) {
      head.append(type.isAnnotation() ? "@interface " : "interface ");
    } else {
      head.append(Modifier.isFinal(type.getModifiers()) ? "final class " : "class ");
    }
    head.append(type.getCanonicalName()).append(variables(type.getTypeParameters()));
    if (type.isRecord()) {
      head.append(
          Arrays.stream(type.getRecordComponents())
              .map(part -> text(part.getAnnotatedType()) + " " + part.getName())
              .collect(Collectors.joining(", ", "(", ")")));
    }
    AnnotatedType parent = type.getAnnotatedSuperclass();
    if (parent != null && !type.isRecord() && !type.isEnum() && parent.getType() != Object.class) {
      head.append(" extends ").append(text(parent));
    }
    if (type.getInterfaces().length > 0) {
      head.append(type.isInterface() ? " extends " : " implements ")
          .append(list(type.getAnnotatedInterfaces()));
    }
    return head.toString();
  }

  private static Stream<String> fields(Class<?> type) {
    return Arrays.stream(type.getDeclaredFields())
        .filter(field -> isOpen(field.getModifiers()) && !field.isSynthetic())
        .map(PublicApi::field);
  }

  private static String field(Field field) {
    return field.isEnumConstant()
        ? field.getName()
        : modifiers(field.getModifiers() & ~Modifier.FINAL, field.getDeclaringClass())
            + (Modifier.isFinal(field.getModifiers()) ? "final " : "")
            + text(field.getAnnotatedType())
            + " "
            + field.getName();
  }

  private static Stream<String> constructors(Class<?> type) {
    Class<?>[] canonical =
        type.isRecord()
            ? Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new)
            : null;
    return type.isEnum()
        ? Stream.empty()
        : Arrays.stream(type.getDeclaredConstructors())
            .filter(constructor -> isAccessible(constructor, type))
            .filter(constructor -> !Arrays.equals(constructor.getParameterTypes(), canonical))
            .map(PublicApi::constructor);
  }

  private static String constructor(Constructor<?> constructor) {
    return modifiers(constructor.getModifiers(), constructor.getDeclaringClass())
        + "new "
        + constructor.getDeclaringClass().getSimpleName()
        + parameters(constructor);
  }

  private static Stream<String> methods(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> isAccessible(method, type) && !isImplied(method, type))
        .map(PublicApi::method);
  }

  /**
   * Returns whether others can use a member. They cannot use protected members of a final class.
   */
  private static boolean isAccessible(Executable member, Class<?> type) {
    return !member.isSynthetic()
        && (Modifier.isPublic(member.getModifiers())
            || Modifier.isProtected(member.getModifiers())
                && !Modifier.isFinal(type.getModifiers()));
  }

  /** Returns whether every object, enum or record has the method, so that it need not be listed. */
  private static boolean isImplied(Method method, Class<?> type) {
    return OBJECT_METHODS.contains(method.getName())
        || type.isEnum() && Set.of("values", "valueOf").contains(method.getName())
        || type.isRecord()
            && Arrays.stream(type.getRecordComponents())
                .anyMatch(part -> method.equals(part.getAccessor()));
  }

  private static String method(Method method) {
    boolean bodyless =
        Modifier.isAbstract(method.getModifiers()) && !method.getDeclaringClass().isInterface();
    String variables = variables(method.getTypeParameters());
    return (method.isDefault() ? "default " : "")
        + (bodyless ? "abstract " : "")
        + modifiers(method.getModifiers(), method.getDeclaringClass())
        + (variables.isEmpty() ? "" : variables + " ")
        + text(method.getAnnotatedReturnType())
        + " "
        + method.getName()
        + parameters(method);
  }

  private static String modifiers(int modifiers, Class<?> of) {
    return (Modifier.isProtected(modifiers) ? "protected " : "")
        + (Modifier.isStatic(modifiers) ? "static " : "")
        + (Modifier.isFinal(modifiers) && !Modifier.isFinal(of.getModifiers()) ? "final " : "");
  }

  private static String parameters(Executable of) {
    String parameters = "(" + list(of.getAnnotatedParameterTypes()) + ")";
    if (of.isVarArgs()) {
      parameters = parameters.substring(0, parameters.length() - "[])".length()) + "...)";
    }
    return of.getExceptionTypes().length == 0
        ? parameters
        : parameters + " throws " + list(of.getAnnotatedExceptionTypes());
  }

  private static String variables(TypeVariable<?>[] variables) {
    return variables.length == 0
        ? ""
        : Arrays.stream(variables)
            .map(
                variable ->
                    variable.getName()
                        + Arrays.stream(variable.getAnnotatedBounds())
                            .map(PublicApi::text)
                            .filter(bound -> !bound.equals("java.lang.Object"))
                            .map(bound -> " extends " + bound)
                            .collect(Collectors.joining()))
            .collect(Collectors.joining(", ", "<", ">"));
  }

  private static String list(AnnotatedType[] types) {
    return Arrays.stream(types).map(PublicApi::text).collect(Collectors.joining(", "));
  }

  /** Returns the text of a type. {@code toString} is not used since it differs between JDKs. */
  private static String text(AnnotatedType type) {
    String nullable = type.isAnnotationPresent(Nullable.class) ? "@Nullable " : "";
    if (type instanceof AnnotatedArrayType array) {
      return nullable + text(array.getAnnotatedGenericComponentType()) + "[]";
    }
    if (type instanceof AnnotatedWildcardType wildcard) {
      AnnotatedType[] lower = wildcard.getAnnotatedLowerBounds();
      AnnotatedType[] upper = wildcard.getAnnotatedUpperBounds();
      return lower.length > 0
          ? "? super " + list(lower)
          : upper.length == 0 || upper[0].getType() == Object.class
              ? "?"
              : "? extends " + list(upper);
    }
    if (type instanceof AnnotatedParameterizedType parameterized) {
      Type raw = ((ParameterizedType) type.getType()).getRawType();
      return nullable
          + ((Class<?>) raw).getCanonicalName()
          + "<"
          + list(parameterized.getAnnotatedActualTypeArguments())
          + ">";
    }
    return nullable
        + (type.getType() instanceof Class<?> plain
            ? plain.getCanonicalName()
            : type.getType().getTypeName());
  }
}
