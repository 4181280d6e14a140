/**
 * The command line, one class per command. Start reading at {@link
 * io.strowger.host.cli.CommandLines}.
 */
@NullMarked
package io.strowger.host.cli;

import org.jspecify.annotations.NullMarked;
