/**
 * The gateway's configuration file: read whole, every problem with its place, into one immutable
 * value with the catalog in it. Start reading at {@link io.strowger.core.config.ConfigReader}.
 */
@NullMarked
package io.strowger.core.config;

import org.jspecify.annotations.NullMarked;
