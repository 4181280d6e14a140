/** Tests of what people read. {@code Decisions} makes small ones. */
@NullMarked
package io.strowger.host.show;

import org.jspecify.annotations.NullMarked;
