package io.strowger.tck;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The bytecode of a plugin: its class, and all classes that it reaches in the same jar or class
 * directory. Of a class that is instantiated, all methods are read; of other classes, only the
 * methods that are called. Libraries are not read.
 */
final class PluginCode {
  private static final String SPI = "io/strowger/spi/";
  private static final String LAMBDA = "$$Lambda";
  private static final String ALL = "*";

  private final Class<?> from;
  private final String base; // the URL prefix of the plugin's own classes
  private final Map<String, Code> classes = new HashMap<>();
  private final Set<Place> read = new LinkedHashSet<>();
  private final ArrayDeque<Place> left = new ArrayDeque<>();
  private final Set<Finding> findings = new LinkedHashSet<>();

  /** A method of a class, or {@link #ALL} of its methods. */
  private record Place(String type, String method) {}

  /** A method or field that the code of a method refers to. */
  private record Reference(String owner, String name, String descriptor, int line) {}

  private record Finding(ForbiddenUse use, String text) {}

  private static final class Code {
    String file = "";
    final List<String> parents = new ArrayList<>();
    final Map<String, List<Reference>> methods = new HashMap<>();
    final List<String> changing = new ArrayList<>(); // mutable static fields
    final Set<String> handles = new LinkedHashSet<>(); // methods that its lambdas call
  }

  private PluginCode(Class<?> from) {
    this.from = from;
    String name = host(from).replace('.', '/');
    URL found = from.getResource("/" + name + ".class");
    if (found == null) {
      throw new AssertionError(
          "the bytecode of " + from.getName() + " cannot be read: test the class itself, no proxy");
    }
    String address = found.toString();
    base = address.substring(0, address.length() - name.length() - ".class".length());
  }

  /** Reads the classes of these objects and everything that they reach. */
  static Set<PluginCode> of(Object... plugins) {
    var codes = new LinkedHashSet<PluginCode>();
    for (Object plugin : plugins) {
      var code = new PluginCode(plugin.getClass());
      code.start();
      codes.add(code);
    }
    return codes;
  }

  /**
   * Reads some methods of a plugin's class, its constructors and initializers, and everything that
   * they reach.
   */
  static PluginCode of(Object plugin, Set<String> methods) {
    var code = new PluginCode(plugin.getClass());
    String name = host(plugin.getClass()).replace('.', '/');
    code.left.add(new Place(name, "<init>"));
    code.left.add(new Place(name, "<clinit>"));
    methods.forEach(method -> code.left.add(new Place(name, method)));
    code.follow();
    return code;
  }

  /**
   * Returns the name of the class that declares a lambda; the name of the class itself when it is
   * not a lambda.
   */
  static String host(Class<?> type) {
    String name = type.getName();
    int at = name.indexOf(LAMBDA);
    return at < 0 ? name : name.substring(0, at);
  }

  private void start() {
    String name = host(from).replace('.', '/');
    if (from.getName().contains(LAMBDA)) {
      // the lambda's own method is unknown, so the methods of all lambdas of the class are read
      Code host = Objects.requireNonNull(code(name));
      host.handles.forEach(method -> left.add(new Place(name, method)));
    } else {
      left.add(new Place(name, ALL));
    }
    follow();
  }

  private void follow() {
    for (Place next = left.poll(); next != null; next = left.poll()) {
      if (read.add(next)) {
        read(next);
      }
    }
  }

  private void read(Place place) {
    Code code = code(place.type());
    if (code == null) {
      return;
    }
    if (place.method().equals(ALL)) {
      code.parents.forEach(parent -> left.add(new Place(parent, ALL)));
      code.methods.keySet().forEach(method -> left.add(new Place(place.type(), method)));
      return;
    }
    if (!code.methods.containsKey(place.method()) && !place.method().startsWith("<")) {
      code.parents.forEach(parent -> left.add(new Place(parent, place.method()))); // inherited
    }
    for (String field : code.changing) {
      findings.add(
          new Finding(
              ForbiddenUse.STATIC_STATE, place.type().replace('/', '.') + "." + field + " "));
    }
    for (Reference to : code.methods.getOrDefault(place.method(), List.of())) {
      ForbiddenUse use = use(to.owner(), to);
      if (use != null) {
        findings.add(new Finding(use, at(place, code, to)));
      } else if (to.name().equals("<init>")) {
        left.add(new Place(to.owner(), ALL));
      } else {
        left.add(new Place(to.owner(), to.name()));
        left.add(new Place(to.owner(), "<clinit>"));
      }
    }
  }

  /**
   * Returns the forbidden use that a reference is, also when a class of the plugin inherits the
   * method; null when it is none.
   */
  private @Nullable ForbiddenUse use(String owner, Reference to) {
    ForbiddenUse direct = ForbiddenUse.of(owner, to.name(), to.descriptor());
    Code own = direct != null || to.name().startsWith("<") ? null : code(owner);
    if (own == null || own.methods.containsKey(to.name())) {
      return direct;
    }
    for (String parent : own.parents) {
      ForbiddenUse inherited = use(parent, to);
      if (inherited != null) {
        return inherited;
      }
    }
    return null;
  }

  private static String at(Place place, Code code, Reference to) {
    String called = to.owner().replace('/', '.');
    return place.type().replace('/', '.')
        + "."
        + place.method()
        + "("
        + code.file
        + ":"
        + to.line()
        + ") calls "
        + (to.name().equals("<init>") ? "new " + called : called + "." + to.name())
        + ", which ";
  }

  /** Returns the code of a class; null when the class is not one of the plugin's own. */
  private @Nullable Code code(String type) {
    if (type.startsWith(SPI) || type.startsWith("[") || type.startsWith("java/")) {
      return null;
    }
    Code known = classes.get(type);
    if (known != null) {
      return known;
    }
    URL found = from.getResource("/" + type + ".class");
    if (found == null || !found.toString().equals(base + type + ".class")) {
      return null;
    }
    try (InputStream bytes = found.openStream()) {
      var code = new Code();
      new ClassReader(bytes).accept(reader(type, code), ClassReader.SKIP_FRAMES);
      classes.put(type, code);
      return code;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ClassVisitor reader(String type, Code code) {
    return new ClassVisitor(Opcodes.ASM9) {
      @Override
      public void visit(
          int version,
          int access,
          String name,
          @Nullable String signature,
          @Nullable String superName,
          String @Nullable [] interfaces) {
        if (superName != null) {
          code.parents.add(superName);
        }
        if (interfaces != null) {
          code.parents.addAll(List.of(interfaces));
        }
      }

      @Override
      public void visitSource(@Nullable String source, @Nullable String debug) {
        code.file = source == null ? "" : source;
      }

      @Override
      public @Nullable FieldVisitor visitField(
          int access,
          String name,
          String descriptor,
          @Nullable String signature,
          @Nullable Object value) {
        boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
        boolean isMade = (access & Opcodes.ACC_SYNTHETIC) != 0;
        boolean isFinal = (access & Opcodes.ACC_FINAL) != 0;
        if (isStatic && !isMade && (!isFinal || ForbiddenUse.isMutable(descriptor))) {
          code.changing.add(name);
        }
        return null;
      }

      @Override
      public MethodVisitor visitMethod(
          int access,
          String name,
          String descriptor,
          @Nullable String signature,
          String @Nullable [] exceptions) {
        return PluginCode.reader(
            type, code, code.methods.computeIfAbsent(name, any -> new ArrayList<>()));
      }
    };
  }

  private static MethodVisitor reader(String type, Code code, List<Reference> references) {
    return new MethodVisitor(Opcodes.ASM9) {
      private int line;

      @Override
      public void visitLineNumber(int number, Label start) {
        line = number;
      }

      @Override
      public void visitMethodInsn(
          int opcode, String owner, String name, String descriptor, boolean isInterface) {
        references.add(new Reference(owner, name, descriptor, line));
      }

      @Override
      public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        references.add(new Reference(owner, "<clinit>", "()V", line));
      }

      @Override
      public void visitInvokeDynamicInsn(
          String name, String descriptor, Handle bootstrap, Object... arguments) {
        for (Object argument : arguments) {
          if (argument instanceof Handle handle) {
            references.add(
                new Reference(handle.getOwner(), handle.getName(), handle.getDesc(), line));
            if (handle.getOwner().equals(type)) {
              code.handles.add(handle.getName());
            }
          }
        }
      }

      @Override
      public void visitLdcInsn(Object value) {
        if (value instanceof Type constant && constant.getSort() == Type.OBJECT) {
          references.add(new Reference(constant.getInternalName(), "<clinit>", "()V", line));
        }
      }
    };
  }

  /** Returns the classes of the plugin that were read and can be loaded. */
  List<Class<?>> loaded() {
    var loaded = new ArrayList<Class<?>>();
    for (String type : classes.keySet()) {
      try {
        loaded.add(from.getClassLoader().loadClass(type.replace('/', '.')));
      } catch (ClassNotFoundException | LinkageError missing) {
        // a class that cannot be loaded has not run
      }
    }
    return loaded;
  }

  /** Returns whether a class belongs to the plugin and was read. */
  boolean contains(String className) {
    return classes.containsKey(className.replace('.', '/'));
  }

  /**
   * Throws an {@link AssertionError} when the code has forbidden uses that are not permitted; the
   * message names the places and the alternatives.
   */
  void assertFree(Set<ForbiddenUse> permitted) {
    var wrong = new StringBuilder();
    for (ForbiddenUse use : EnumSet.complementOf(copy(permitted))) {
      for (Finding finding : findings) {
        if (finding.use() == use) {
          wrong.append('\n').append(finding.text()).append(use.explained());
        }
      }
    }
    if (!wrong.isEmpty()) {
      throw new AssertionError("the code of " + from.getName() + " does what it must not:" + wrong);
    }
  }

  private static EnumSet<ForbiddenUse> copy(Set<ForbiddenUse> of) {
    var copy = EnumSet.noneOf(ForbiddenUse.class);
    copy.addAll(of);
    return copy;
  }
}
