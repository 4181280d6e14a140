package io.strowger.spring;

import io.strowger.core.Gateway;

/**
 * A bean that changes the builder of the gateway after the starter has given it every other bean,
 * for settings without a bean of their own, such as {@link Gateway.Builder#collectedOutputBytes}.
 * There may be several; they are called in the order of {@code @Order}. Called once, on the thread
 * that starts the application.
 */
@FunctionalInterface
public interface GatewayBuilderCustomizer {
  /**
   * Changes the builder.
   *
   * @param builder must not be built here: the starter does
   */
  void customize(Gateway.Builder builder);
}
