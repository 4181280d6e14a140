/**
 * Who calls: a bearer credential becomes a {@link io.strowger.core.authentication.Caller}, or is
 * refused. Start reading at {@link io.strowger.core.authentication.Accounts}.
 */
@NullMarked
package io.strowger.core.authentication;

import org.jspecify.annotations.NullMarked;
