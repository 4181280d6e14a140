/**
 * The tables of rules by which any JSON document is read, with every problem and its place. Start
 * reading at {@link io.strowger.core.decode.MemberTable}.
 */
@NullMarked
package io.strowger.core.decode;

import org.jspecify.annotations.NullMarked;
