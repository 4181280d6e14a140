/**
 * Tests of the package of the same name. Faults are played by a simulated upstream over real
 * sockets.
 */
@NullMarked
package io.strowger.providers.chat;

import org.jspecify.annotations.NullMarked;
