package io.strowger.tck;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Loads the classes of another loader again, with a call of {@link RecordedCalls} inserted before
 * each call that reads a clock or takes a random number. Classes of the JDK, the SPI, the test kit
 * and its libraries, such as JUnit, are not loaded again.
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
      reader.accept(rewritingClassVisitor(writer), 0);
      byte[] code = writer.toByteArray();
      return defineClass(name, code, 0, code.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private static ClassVisitor rewritingClassVisitor(ClassVisitor next) {
    return new ClassVisitor(Opcodes.ASM9, next) {
      @Override
      public MethodVisitor visitMethod(
          int access,
          String name,
          String descriptor,
          @Nullable String signature,
          String @Nullable [] exceptions) {
        return rewritingMethodVisitor(
            super.visitMethod(access, name, descriptor, signature, exceptions));
      }
    };
  }

  private static MethodVisitor rewritingMethodVisitor(MethodVisitor next) {
    return new MethodVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitMethodInsn(
          int opcode, String owner, String name, String descriptor, boolean isInterface) {
        ForbiddenUse use = ForbiddenUse.of(owner, name, descriptor);
        if (use == ForbiddenUse.CLOCK || use == ForbiddenUse.RANDOMNESS) {
          String recorded = use == ForbiddenUse.CLOCK ? "clock" : "random";
          super.visitMethodInsn(Opcodes.INVOKESTATIC, RECORDER, recorded, "()V", false);
        }
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
      }
    };
  }
}
