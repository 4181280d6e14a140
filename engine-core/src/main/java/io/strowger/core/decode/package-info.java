/**
 * Decodes JSON documents by tables of rules, and reports every problem with its place. Start
 * reading at {@link io.strowger.core.decode.MemberTable}.
 */
@NullMarked
package io.strowger.core.decode;

import org.jspecify.annotations.NullMarked;
