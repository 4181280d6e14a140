package io.strowger.tck;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Loads the classes of another loader again, with a call of {@link RecordedCalls} inserted before
 * each call that reads a clock or takes a random number. A method reference to such a method is
 * replaced by one to a new method of the same class, which contains the call. Classes of the JDK,
 * the SPI, the test kit and its libraries, such as JUnit, are not loaded again.
 */
final class RewritingLoader extends ClassLoader {
  private static final List<String> SHARED =
      List.of(
          "java.",
          "javax.",
          "jdk.",
          "sun.",
          "com.sun.",
          "io.strowger.spi.",
          "org.junit.",
          "org.opentest4j.",
          "org.jspecify.",
          "org.objectweb.asm.");

  private static final String KIT = "io.strowger.tck.";
  private static final String RECORDER = RecordedCalls.class.getName().replace('.', '/');

  private final ClassLoader source;
  private final ReentrantLock lock = new ReentrantLock(); // for all classes of this loader

  static {
    registerAsParallelCapable();
  }

  RewritingLoader(ClassLoader source) {
    super(source);
    this.source = source;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (SHARED.stream().anyMatch(name::startsWith) || isOfKit(name)) {
      return super.loadClass(name, resolve);
    }
    lock.lock();
    try {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? rewrite(name) : loaded;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns whether a class belongs to the test kit. The kit's own tests do not: they are in the
   * same package, but at another location.
   */
  private boolean isOfKit(String name) {
    return name.startsWith(KIT) && location(name).equals(location(RecordedCalls.class.getName()));
  }

  private String location(String name) {
    String path = name.replace('.', '/') + ".class";
    URL resource = source.getResource(path);
    return resource == null ? "" : resource.toString().replace(path, "");
  }

  private Class<?> rewrite(String name) throws ClassNotFoundException {
    try (@Nullable InputStream in = source.getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      var reader = new ClassReader(in);
      var writer = new ClassWriter(reader, 0);
      reader.accept(new RewritingClassVisitor(writer), 0);
      byte[] code = writer.toByteArray();
      return defineClass(name, code, 0, code.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  /** Returns the use that a call of a method is recorded as; null when it is not recorded. */
  private static @Nullable ForbiddenUse recordedUse(String owner, String name, String descriptor) {
    ForbiddenUse use = ForbiddenUse.of(owner, name, descriptor);
    return use == ForbiddenUse.CLOCK || use == ForbiddenUse.RANDOMNESS ? use : null;
  }

  private static final class RewritingClassVisitor extends ClassVisitor {
    /** The methods to add, by the method that each calls. */
    private final Map<Handle, Handle> addedMethods = new LinkedHashMap<>();

    private String className = "";
    private boolean isInterface;

    RewritingClassVisitor(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visit(
        int version,
        int access,
        String name,
        @Nullable String signature,
        @Nullable String superName,
        String @Nullable [] interfaces) {
      className = name;
      isInterface = (access & Opcodes.ACC_INTERFACE) != 0;
      super.visit(version, access, name, signature, superName, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      return new RewritingMethodVisitor(
          super.visitMethod(access, name, descriptor, signature, exceptions), this);
    }

    @Override
    public void visitEnd() {
      addedMethods.forEach(this::addMethod);
      super.visitEnd();
    }

    /** Returns the added method that replaces a method, or the method itself if none does. */
    Handle replace(Handle referred) {
      boolean isMethod =
          referred.getTag() >= Opcodes.H_INVOKEVIRTUAL
              && referred.getTag() != Opcodes.H_INVOKESPECIAL;
      return isMethod
              && recordedUse(referred.getOwner(), referred.getName(), referred.getDesc()) != null
          ? addedMethods.computeIfAbsent(referred, this::addedMethod)
          : referred;
    }

    private Handle addedMethod(Handle called) {
      boolean isNew = called.getTag() == Opcodes.H_NEWINVOKESPECIAL;
      String name = (isNew ? "new" : called.getName()) + "$recorded" + addedMethods.size();
      Type owner = Type.getObjectType(called.getOwner());
      String descriptor = called.getDesc();
      if (isNew) {
        descriptor = Type.getMethodDescriptor(owner, Type.getArgumentTypes(descriptor));
      } else if (called.getTag() != Opcodes.H_INVOKESTATIC) {
        descriptor = "(" + owner.getDescriptor() + descriptor.substring(1);
      }
      return new Handle(Opcodes.H_INVOKESTATIC, className, name, descriptor, isInterface);
    }

    private void addMethod(Handle called, Handle added) {
      int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC;
      MethodVisitor code = visitMethod(access, added.getName(), added.getDesc(), null, null);
      code.visitCode();
      if (called.getTag() == Opcodes.H_NEWINVOKESPECIAL) {
        code.visitTypeInsn(Opcodes.NEW, called.getOwner());
        code.visitInsn(Opcodes.DUP);
      }
      int size = 0;
      for (Type parameter : Type.getArgumentTypes(added.getDesc())) {
        code.visitVarInsn(parameter.getOpcode(Opcodes.ILOAD), size);
        size += parameter.getSize();
      }
      int opcode =
          switch (called.getTag()) {
            case Opcodes.H_INVOKESTATIC -> Opcodes.INVOKESTATIC;
            case Opcodes.H_NEWINVOKESPECIAL -> Opcodes.INVOKESPECIAL;
            case Opcodes.H_INVOKEINTERFACE -> Opcodes.INVOKEINTERFACE;
            default -> Opcodes.INVOKEVIRTUAL;
          };
      code.visitMethodInsn(
          opcode, called.getOwner(), called.getName(), called.getDesc(), called.isInterface());
      code.visitInsn(Type.getReturnType(added.getDesc()).getOpcode(Opcodes.IRETURN));
      code.visitMaxs(size + 2, size); // 2: a new object, or a long result
      code.visitEnd();
    }
  }

  private static final class RewritingMethodVisitor extends MethodVisitor {
    private final RewritingClassVisitor type;

    RewritingMethodVisitor(MethodVisitor next, RewritingClassVisitor type) {
      super(Opcodes.ASM9, next);
      this.type = type;
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      ForbiddenUse use = recordedUse(owner, name, descriptor);
      if (use != null) {
        String recorded = use == ForbiddenUse.CLOCK ? "clock" : "random";
        super.visitMethodInsn(Opcodes.INVOKESTATIC, RECORDER, recorded, "()V", false);
      }
      super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      Object[] replaced =
          Arrays.stream(arguments)
              .map(argument -> argument instanceof Handle handle ? type.replace(handle) : argument)
              .toArray();
      super.visitInvokeDynamicInsn(name, descriptor, bootstrap, replaced);
    }
  }
}
