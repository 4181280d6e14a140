/**
 * Shows the gateway at work on one machine, without a key and without a network. Start reading at
 * {@link io.strowger.host.demo.Demo}.
 */
@NullMarked
package io.strowger.host.demo;

import org.jspecify.annotations.NullMarked;
