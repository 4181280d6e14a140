/** Contract tests and fakes for authors of plugins, providers and stores. */
module io.strowger.tck {
  requires java.management;
  requires jdk.jfr;
  requires jdk.management;
  requires org.objectweb.asm;
  requires static transitive org.jspecify;
  requires transitive io.strowger.spi;
  requires transitive org.assertj.core;
  requires transitive org.junit.jupiter.api;
  requires transitive org.junit.jupiter.params;
  requires transitive org.junit.platform.commons;

  exports io.strowger.tck;
}
