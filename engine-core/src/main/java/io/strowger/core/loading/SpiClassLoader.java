package io.strowger.core.loading;

import io.strowger.spi.plugin.PluginProvider;

/**
 * Makes visible the classes that a plugin shares with the gateway: the SPI, the annotations of
 * JSpecify and the classes of the JDK. It has no resources but those of the JDK, so that {@link
 * java.util.ServiceLoader} never finds the gateway's own providers through it.
 */
final class SpiClassLoader extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  private final ClassLoader spi = PluginProvider.class.getClassLoader();

  SpiClassLoader() {
    super("strowger-spi", ClassLoader.getPlatformClassLoader());
  }

  /** Returns whether a class belongs to the SPI, which is never loaded from a jar of plugins. */
  static boolean isSpiClass(String name) {
    return name.startsWith("io.strowger.spi.");
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    if (isSpiClass(name) || name.startsWith("org.jspecify.annotations.")) {
      return spi.loadClass(name);
    }
    throw new ClassNotFoundException(name);
  }
}
