package io.strowger.core.loading;

import io.strowger.spi.plugin.PluginProvider;

/**
 * Shows the classes of the SPI, the annotations of JSpecify and the JDK's platform: what a plugin
 * has in common with the gateway. Shows no resources but the platform's, so that {@link
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

  /** Whether a class comes from the gateway's SPI or not at all, whatever a jar holds. */
  static boolean isOfSpi(String name) {
    return name.startsWith("io.strowger.spi.");
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    if (isOfSpi(name) || name.startsWith("org.jspecify.annotations.")) {
      return spi.loadClass(name);
    }
    throw new ClassNotFoundException(name);
  }
}
