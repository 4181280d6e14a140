/**
 * Loads plugins, server tools and provider factories from a directory of jars. Every jar has a
 * class loader of its own, which sees the JDK and only the SPI of the gateway.
 */
@NullMarked
package io.strowger.core.loading;

import org.jspecify.annotations.NullMarked;
