/**
 * What an observer of finished calls receives. Start reading at {@link
 * io.strowger.spi.observe.TraceSink}.
 */
@NullMarked
package io.strowger.spi.observe;

import org.jspecify.annotations.NullMarked;
