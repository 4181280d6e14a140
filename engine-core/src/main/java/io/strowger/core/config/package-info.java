/**
 * Reads the configuration file into one immutable value with the catalog in it, and reports every
 * problem with its place. Start reading at {@link io.strowger.core.config.ConfigReader}.
 */
@NullMarked
package io.strowger.core.config;

import org.jspecify.annotations.NullMarked;
