package io.strowger.core.loading;

import java.net.URL;
import java.security.SecureClassLoader;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Defines the classes of one jar from memory. It holds no file open, so it needs no closing: the
 * collector takes it once nothing uses its classes. Safe on any thread.
 */
final class JarClassLoader extends SecureClassLoader {
  static {
    registerAsParallelCapable();
  }

  private final JarContent content;

  JarClassLoader(String name, JarContent content, ClassLoader parent) {
    super(name, parent);
    this.content = content;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    List<JarContent.Entry> found = content.entries(name.replace('.', '/') + ".class");
    if (found.isEmpty() || SpiClassLoader.isOfSpi(name)) { // never two versions of it in one jar
      throw new ClassNotFoundException(name);
    }
    JarContent.Entry entry = found.getFirst();
    return defineClass(name, entry.bytes(), 0, entry.bytes().length, entry.source());
  }

  @Override
  protected @Nullable URL findResource(String name) {
    List<JarContent.Entry> found = content.entries(name);
    return found.isEmpty() ? null : found.getFirst().url();
  }

  @Override
  protected Enumeration<URL> findResources(String name) {
    return Collections.enumeration(
        content.entries(name).stream().map(JarContent.Entry::url).toList());
  }
}
