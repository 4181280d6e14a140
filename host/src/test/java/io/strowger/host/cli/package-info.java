/** Tests of the commands, run as a user runs them but in this process. */
@NullMarked
package io.strowger.host.cli;

import org.jspecify.annotations.NullMarked;
