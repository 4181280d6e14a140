/** The HTTP API of a gateway as a servlet. */
module io.strowger.servlet {
  requires com.google.common;
  requires org.slf4j;
  requires static transitive org.jspecify;
  requires transitive io.strowger.core;
  requires transitive jakarta.servlet;

  exports io.strowger.servlet;
}
