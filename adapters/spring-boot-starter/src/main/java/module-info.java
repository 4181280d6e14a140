/**
 * A gateway in a Spring Boot application. Open to Spring, which makes its configuration classes and
 * calls their methods.
 */
module io.strowger.spring {
  requires org.slf4j;
  requires spring.beans;
  requires static io.opentelemetry.api;
  requires static io.strowger.stores;
  requires static io.strowger.telemetry;
  requires static jakarta.servlet;
  requires static micrometer.core;
  requires static spring.boot.actuator; // where health is up to Boot 3
  requires static spring.boot.health; // where it is since Boot 4
  requires static transitive org.jspecify;
  requires io.strowger.servlet;
  requires transitive io.strowger.core;
  requires transitive spring.boot;
  requires transitive spring.boot.autoconfigure;
  requires transitive spring.context;
  requires transitive spring.core;

  exports io.strowger.spring;

  opens io.strowger.spring;
}
