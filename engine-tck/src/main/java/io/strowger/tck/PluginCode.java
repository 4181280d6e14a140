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

  private final Class<?> pluginClass;
  private final String urlPrefix; // the URL prefix of the plugin's own classes
  private final Map<String, ClassCode> classes = new HashMap<>();
  private final Set<MethodRef> visited = new LinkedHashSet<>();
  private final ArrayDeque<MethodRef> pending = new ArrayDeque<>();
  private final Set<Finding> findings = new LinkedHashSet<>();

  /** A method of a class, or {@link #ALL} of its methods. */
  private record MethodRef(String type, String method) {}

  /** A method or field that the code of a method refers to. */
  private record Reference(String owner, String name, String descriptor, int line) {}

  private record Finding(ForbiddenUse use, String text) {}

  private static final class ClassCode {
    String file = "";
    final List<String> parents = new ArrayList<>();
    final Map<String, List<Reference>> methods = new HashMap<>();
    final List<String> mutableStatics = new ArrayList<>(); // mutable static fields
    final Set<String> handles = new LinkedHashSet<>(); // methods that its lambdas call
  }

  private PluginCode(Class<?> pluginClass) {
    this.pluginClass = pluginClass;
    String name = declaringClassName(pluginClass).replace('.', '/');
    URL resource = pluginClass.getResource("/" + name + ".class");
    if (resource == null) {
      throw new AssertionError(
          "the bytecode of "
              + pluginClass.getName()
              + " cannot be read: test the class itself instead of a proxy");
    }
    String address = resource.toString();
    urlPrefix = address.substring(0, address.length() - name.length() - ".class".length());
  }

  /** Reads the classes of these objects and everything that they reach. */
  static Set<PluginCode> of(Object... plugins) {
    var codes = new LinkedHashSet<PluginCode>();
    for (Object plugin : plugins) {
      var code = new PluginCode(plugin.getClass());
      code.readPlugin();
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
    String name = declaringClassName(plugin.getClass()).replace('.', '/');
    code.pending.add(new MethodRef(name, "<init>"));
    code.pending.add(new MethodRef(name, "<clinit>"));
    methods.forEach(method -> code.pending.add(new MethodRef(name, method)));
    code.readPending();
    return code;
  }

  /**
   * Returns the name of the class that declares a lambda; the name of the class itself when it is
   * not a lambda.
   */
  static String declaringClassName(Class<?> type) {
    String name = type.getName();
    int at = name.indexOf(LAMBDA);
    return at < 0 ? name : name.substring(0, at);
  }

  private void readPlugin() {
    String name = declaringClassName(pluginClass).replace('.', '/');
    if (pluginClass.getName().contains(LAMBDA)) {
      // the lambda's own method is unknown, so the methods of all lambdas of the class are read
      ClassCode host = Objects.requireNonNull(code(name));
      host.handles.forEach(method -> pending.add(new MethodRef(name, method)));
    } else {
      pending.add(new MethodRef(name, ALL));
    }
    readPending();
  }

  private void readPending() {
    for (MethodRef next = pending.poll(); next != null; next = pending.poll()) {
      if (visited.add(next)) {
        read(next);
      }
    }
  }

  private void read(MethodRef methodRef) {
    ClassCode code = code(methodRef.type());
    if (code == null) {
      return;
    }
    if (methodRef.method().equals(ALL)) {
      code.parents.forEach(parent -> pending.add(new MethodRef(parent, ALL)));
      code.methods.keySet().forEach(method -> pending.add(new MethodRef(methodRef.type(), method)));
      return;
    }
    if (!code.methods.containsKey(methodRef.method()) && !methodRef.method().startsWith("<")) {
      code.parents.forEach(
          parent -> pending.add(new MethodRef(parent, methodRef.method()))); // inherited
    }
    for (String field : code.mutableStatics) {
      findings.add(
          new Finding(
              ForbiddenUse.STATIC_STATE, methodRef.type().replace('/', '.') + "." + field + " "));
    }
    for (Reference reference : code.methods.getOrDefault(methodRef.method(), List.of())) {
      ForbiddenUse use = forbiddenUse(reference.owner(), reference);
      if (use != null) {
        findings.add(new Finding(use, describe(methodRef, code, reference)));
      } else if (reference.name().equals("<init>")) {
        pending.add(new MethodRef(reference.owner(), ALL));
      } else {
        pending.add(new MethodRef(reference.owner(), reference.name()));
        pending.add(new MethodRef(reference.owner(), "<clinit>"));
      }
    }
  }

  /**
   * Returns which forbidden use a reference is; null when the method is permitted. Also finds the
   * use when a class of the plugin inherits the method.
   */
  private @Nullable ForbiddenUse forbiddenUse(String owner, Reference reference) {
    ForbiddenUse direct = ForbiddenUse.of(owner, reference.name(), reference.descriptor());
    ClassCode ownerCode = direct != null || reference.name().startsWith("<") ? null : code(owner);
    if (ownerCode == null || ownerCode.methods.containsKey(reference.name())) {
      return direct;
    }
    for (String parent : ownerCode.parents) {
      ForbiddenUse inherited = forbiddenUse(parent, reference);
      if (inherited != null) {
        return inherited;
      }
    }
    return null;
  }

  private static String describe(MethodRef methodRef, ClassCode code, Reference reference) {
    String target = reference.owner().replace('/', '.');
    return methodRef.type().replace('/', '.')
        + "."
        + methodRef.method()
        + "("
        + code.file
        + ":"
        + reference.line()
        + ") calls "
        + (reference.name().equals("<init>") ? "new " + target : target + "." + reference.name())
        + ", which ";
  }

  /** Returns the code of a class; null when the class is not one of the plugin's own. */
  private @Nullable ClassCode code(String type) {
    if (type.startsWith(SPI) || type.startsWith("[") || type.startsWith("java/")) {
      return null;
    }
    ClassCode cached = classes.get(type);
    if (cached != null) {
      return cached;
    }
    URL resource = pluginClass.getResource("/" + type + ".class");
    if (resource == null || !resource.toString().equals(urlPrefix + type + ".class")) {
      return null;
    }
    try (InputStream bytes = resource.openStream()) {
      var code = new ClassCode();
      new ClassReader(bytes).accept(visitor(type, code), ClassReader.SKIP_FRAMES);
      classes.put(type, code);
      return code;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ClassVisitor visitor(String type, ClassCode code) {
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
        boolean isSynthetic = (access & Opcodes.ACC_SYNTHETIC) != 0;
        boolean isFinal = (access & Opcodes.ACC_FINAL) != 0;
        if (isStatic && !isSynthetic && (!isFinal || ForbiddenUse.isMutable(descriptor))) {
          code.mutableStatics.add(name);
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
        return PluginCode.visitor(
            type, code, code.methods.computeIfAbsent(name, any -> new ArrayList<>()));
      }
    };
  }

  private static MethodVisitor visitor(String type, ClassCode code, List<Reference> references) {
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
  List<Class<?>> loadedClasses() {
    var result = new ArrayList<Class<?>>();
    for (String type : classes.keySet()) {
      try {
        result.add(pluginClass.getClassLoader().loadClass(type.replace('/', '.')));
      } catch (ClassNotFoundException | LinkageError unloadable) {
        // a class that cannot be loaded has not run
      }
    }
    return result;
  }

  /** Returns whether a class belongs to the plugin and was read. */
  boolean contains(String className) {
    return classes.containsKey(className.replace('.', '/'));
  }

  /**
   * Throws an {@link AssertionError} when the code has forbidden uses that are not permitted; the
   * message names the places and the alternatives.
   */
  void assertNoForbiddenUse(Set<ForbiddenUse> permitted) {
    var violations = new StringBuilder();
    for (ForbiddenUse use : EnumSet.complementOf(copy(permitted))) {
      for (Finding finding : findings) {
        if (finding.use() == use) {
          violations.append('\n').append(finding.text()).append(use.explanation());
        }
      }
    }
    if (!violations.isEmpty()) {
      throw new AssertionError(
          "the code of " + pluginClass.getName() + " does what it must not:" + violations);
    }
  }

  private static EnumSet<ForbiddenUse> copy(Set<ForbiddenUse> uses) {
    var copy = EnumSet.noneOf(ForbiddenUse.class);
    copy.addAll(uses);
    return copy;
  }
}
