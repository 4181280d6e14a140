/** Tests of the output for people. {@code Decisions} makes small decisions to show. */
@NullMarked
package io.strowger.host.show;

import org.jspecify.annotations.NullMarked;
