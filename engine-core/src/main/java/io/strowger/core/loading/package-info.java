/**
 * Loads plugins, server tools and provider factories from a directory of jars. Every jar has a
 * class loader of its own that sees the SPI and the JDK, and nothing else of the gateway.
 */
@NullMarked
package io.strowger.core.loading;

import org.jspecify.annotations.NullMarked;
