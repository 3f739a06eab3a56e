// Made from operator.json: npm run openapi.
export interface paths {
    "/operator/v1/sign-in": {
        get: operations["signIn"];
    };
    "/operator/v1/sign-in/callback": {
        get: operations["finishSignIn"];
    };
    "/operator/v1/sign-in/link": {
        post: operations["useSignInLink"];
    };
    "/operator/v1/session": {
        get: operations["readSession"];
        delete: operations["signOut"];
    };
    "/operator/v1/sessions": {
        delete: operations["signOutEverywhere"];
    };
    "/operator/v1/overview": {
        get: operations["readOverview"];
    };
    "/operator/v1/requests": {
        get: operations["listOperatorRequests"];
    };
    "/operator/v1/request-counts": {
        get: operations["countOperatorRequests"];
    };
    "/operator/v1/requests/{ws}/{srid}": {
        get: operations["readOperatorRequest"];
    };
    "/operator/v1/requests/{ws}/{srid}/callbacks": {
        get: operations["listOperatorCallbacks"];
    };
    "/operator/v1/requests/{ws}/{srid}/extension": {
        post: operations["extendLegalDate"];
    };
    "/operator/v1/requests/{ws}/{srid}/cancellation": {
        post: operations["cancelOnBehalf"];
    };
    "/operator/v1/requests/{ws}/{srid}/participants/{name}/waiver": {
        post: operations["waiveParticipant"];
    };
    "/operator/v1/requests/{ws}/{srid}/callbacks/{delivery}/replay": {
        post: operations["replayOperatorCallback"];
    };
    "/operator/v1/requests/{ws}/{srid}/identities": {
        post: operations["revealIdentities"];
    };
    "/operator/v1/reveals": {
        get: operations["listReveals"];
    };
    "/operator/v1/reveals/{id}/approval": {
        post: operations["approveReveal"];
    };
    "/operator/v1/requests/{ws}/{srid}/events": {
        get: operations["listOperatorEvents"];
    };
    "/operator/v1/requests/{ws}/{srid}/services": {
        get: operations["readOperatorServices"];
    };
    "/operator/v1/requests/{ws}/{srid}/attestation": {
        get: operations["readOperatorAttestation"];
    };
    "/operator/v1/requests/{ws}/{srid}/log-entries": {
        get: operations["listOperatorLogEntries"];
    };
    "/operator/v1/requests/{ws}/{srid}/records": {
        get: operations["listOperatorRecords"];
    };
    "/operator/v1/changes": {
        get: operations["watchOperatorChanges"];
    };
    "/operator/v1/audit": {
        get: operations["listOperatorAudit"];
    };
    "/operator/v1/destinations": {
        get: operations["listDestinations"];
    };
    "/operator/v1/destinations/{ws}/{host}": {
        get: operations["readDestination"];
    };
    "/operator/v1/parked": {
        get: operations["listParked"];
    };
    "/operator/v1/parked/{service}/{id}": {
        get: operations["readParked"];
    };
    "/operator/v1/parked/{service}/redrive": {
        post: operations["redriveMany"];
    };
    "/operator/v1/parked/{service}/drop": {
        post: operations["dropMany"];
    };
    "/operator/v1/parked/{service}/{id}/redrive": {
        post: operations["redriveOne"];
    };
    "/operator/v1/parked/{service}/{id}/drop": {
        post: operations["dropParked"];
    };
    "/operator/v1/system": {
        get: operations["readSystem"];
    };
    "/operator/v1/transparency": {
        get: operations["readTransparency"];
    };
    "/operator/v1/workspaces": {
        get: operations["listWorkspaces"];
    };
    "/operator/v1/workspaces/{ws}": {
        get: operations["readWorkspace"];
    };
    "/operator/v1/workspaces/{ws}/api-keys": {
        get: operations["listApiKeys"];
        post: operations["createApiKey"];
    };
    "/operator/v1/workspaces/{ws}/api-keys/{key}/rotation": {
        post: operations["rotateApiKey"];
    };
    "/operator/v1/workspaces/{ws}/api-keys/{key}/revocation": {
        post: operations["revokeApiKey"];
    };
    "/operator/v1/workspaces/{ws}/participants": {
        get: operations["listParticipantsOfWorkspace"];
    };
    "/operator/v1/participants": {
        get: operations["listParticipants"];
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        SignInLink: {
            token: string;
        } & {
            [key: string]: unknown;
        };
        OperatorDecision: {
            reason: string;
        } & {
            [key: string]: unknown;
        };
        OperatorManyRecords: {
            reason: string;
            workspace?: string | null;
            subject_request_id?: string | null;
            parked_reason?: string | null;
            kind?: "blocking" | "waiting" | "aside" | "not-aside" | null;
            key?: string | null;
            cursor?: string | null;
        } & {
            [key: string]: unknown;
        };
        OperatorCreateKey: {
            reason: string;
            scopes: ("dsr" | "ingest")[];
            expires_in?: string | null;
        } & {
            [key: string]: unknown;
        };
        OperatorRotateKey: {
            reason: string;
            overlap?: string | null;
            expires_in?: string | null;
        } & {
            [key: string]: unknown;
        };
        OperatorSession: {
            subject: string;
            roles: {
                role: "viewer" | "operator" | "officer" | "admin";
                workspace: string | null;
                allows: ("read" | "repair" | "decide" | "reveal" | "audit" | "administer")[];
            }[];
            csrf_token: string | null;
            ends_time: string | null;
        };
        OperatorOverview: {
            read_time: string;
            received: {
                day: number;
                week: number;
            };
            ended: {
                day: number;
                week: number;
            };
            days: {
                day: string;
                received: number;
                ended: number;
            }[];
            callbacks_failing: number;
            destinations: {
                failing: number;
                paused: number;
            } | null;
            service: {
                parked: {
                    blocking: number;
                    aside: number;
                } | null;
                consumer_lag: number;
                oldest_outbox_seconds: number;
                first_certificate: {
                    version: "v2" | "v1";
                    ends_time: string;
                    days_left: number;
                } | null;
            } | null;
            unavailable: string[];
        };
        OperatorRequest: {
            workspace: string;
            subject_request_id: string;
            controller_id: string;
            subject_request_type: "access" | "portability" | "erasure";
            regulation: "gdpr" | "ccpa" | null;
            request_status: "pending" | "in_progress" | "completed" | "cancelled";
            legal_state: "on_track" | "at_risk" | "overdue" | "kept" | "missed" | null;
            received_time: string;
            expected_completion_time: string;
            legal_due_time: string | null;
            extended: boolean;
            ended_time: string | null;
            callbacks_failing: boolean;
        };
        OperatorRequestList: {
            requests: components["schemas"]["OperatorRequest"][];
            next_cursor: string | null;
        };
        OperatorRequestCounts: {
            counted_time: string;
            open: number;
            pending: number;
            in_progress: number;
            on_track: number;
            at_risk: number;
            overdue: number;
            due_within_week: number;
            open_over_7_days: number;
            open_over_30_days: number;
            open_over_60_days: number;
        };
        OperatorRequestStory: {
            workspace: string;
            subject_request_id: string;
            controller_id: string;
            subject_request_type: "access" | "portability" | "erasure";
            regulation: "gdpr" | "ccpa" | null;
            request_status: "pending" | "in_progress" | "completed" | "cancelled";
            legal_state: "on_track" | "at_risk" | "overdue" | "kept" | "missed" | null;
            received_time: string;
            expected_completion_time: string;
            legal_due_time: string | null;
            extended: boolean;
            ended_time: string | null;
            callbacks_failing: boolean;
            api_version: string;
            times: {
                submitted: string;
                legal_since: string | null;
                first_legal_due: string | null;
                at_risk: string | null;
                extended: string | null;
                start: string | null;
                started: string | null;
                completed: string | null;
                cancelled: string | null;
                key_due: string | null;
                key_destroyed: string | null;
            };
            extended_by: string | null;
            group_size: number | null;
            key: "alive" | "destroyed" | "lost";
            decisions: number;
            event_version: number;
            waiting_commands: {
                number: number;
                type: string;
                time: string;
            }[];
            participants: {
                name: string;
                status: string;
            }[];
            open_destinations: number;
        };
        OperatorCallback: {
            delivery_id: string;
            destination: string;
            request_status: "pending" | "in_progress" | "completed" | "cancelled";
            status_time: string | null;
            state: "waiting" | "delivered" | "given_up";
            reason: "gone" | "exhausted" | "key_destroyed" | null;
            attempt_count: number;
            next_attempt_time: string | null;
            attempts: {
                attempt: number;
                time: string;
                outcome: "delivered" | "rejected" | "gone" | "unreachable" | "postponed";
                http_status: number | null;
                duration_ms: number | null;
            }[];
        };
        OperatorCallbackList: {
            callbacks: components["schemas"]["OperatorCallback"][];
            next_cursor: string | null;
        };
        OperatorHistoryEntry: {
            id: string;
            time: string;
            kind: "received" | "noted" | "started" | "participant_reported" | "extended" | "completed" | "cancelled" | "command_waiting" | "callback_queued" | "callback_attempted" | "callback_due" | "attested" | "key_destroyed" | "parked";
            facts: {
                participant?: string;
                participant_status?: string;
                role?: string;
                until?: string;
                command?: string;
                number?: number;
                delivery_id?: string;
                destination?: string;
                request_status?: "pending" | "in_progress" | "completed" | "cancelled";
                attempt?: number;
                outcome?: "delivered" | "rejected" | "gone" | "unreachable" | "postponed";
                http_status?: number;
                duration_ms?: number;
                statement?: number;
                action?: string;
                service?: string;
                topic?: string;
                reason?: string;
            };
        };
        OperatorHistory: {
            events: components["schemas"]["OperatorHistoryEntry"][];
            next_cursor: string | null;
            unavailable: string[];
        };
        OperatorLogEntries: {
            entries: {
                index: number;
                kind: string;
                time: string;
                digest: string;
                due_time: string | null;
                is_covered: boolean;
            }[];
            next_cursor: string | null;
        };
        OperatorRequestStates: {
            services: {
                request: {
                    status: string;
                    event_version: number;
                    decisions: number;
                    unpublished_events: {
                        type: string;
                        version: number;
                        time: string;
                    }[];
                    participants: {
                        name: string;
                        status: string;
                        time: string | null;
                    }[];
                } | null;
                "callback-dispatcher": {
                    destinations: {
                        destination: string;
                        event_version: number;
                        next_attempt_time: string | null;
                        is_claimed: boolean;
                        is_postponed: boolean;
                        failed_attempts: number;
                        failing_since: string | null;
                        gone_time: string | null;
                        outcome: string | null;
                        waiting: {
                            event_version: number;
                            request_status: "pending" | "in_progress" | "completed" | "cancelled";
                            time: string;
                            is_replay: boolean;
                        }[];
                        ended: {
                            event_version: number;
                            request_status: "pending" | "in_progress" | "completed" | "cancelled";
                            reason: string | null;
                            time: string;
                        }[];
                        unpublished_events: number;
                    }[];
                } | null;
                results: {
                    archive: {
                        state: string;
                        matched_profiles: number | null;
                        is_claimed: boolean;
                        due_time: string | null;
                        tries: number;
                        chunks: number;
                        bytes: number;
                        built_time: string | null;
                        completed_time: string | null;
                        expires_time: string | null;
                        sweep_time: string | null;
                    } | null;
                    withdrawal: {
                        profiles: number;
                        passes: number;
                        is_claimed: boolean;
                        due_time: string | null;
                        tries: number;
                    } | null;
                } | null;
                ingestion: {
                    erasure: {
                        matched_profiles: number | null;
                        passes: number;
                        is_reported: boolean;
                        is_completed: boolean;
                        is_claimed: boolean;
                        due_time: string | null;
                        tries: number;
                    };
                } | null;
            };
            unavailable: string[];
        };
        OperatorRecords: {
            records: {
                topic: "dsr.commands.v1" | "dsr.request-events.v1" | "dsr.participant-reports.v1" | "dsr.delivery-events.v1";
                partition: number;
                offset: string;
                time: string | null;
                type: string | null;
                message_id: string | null;
                fields: {
                    [key: string]: string | number | boolean;
                } | null;
                other_fields: number;
                headers: {
                    [key: string]: string;
                };
                other_headers: number;
                bytes: number;
                hash: string;
            }[];
            topics: {
                topic: "dsr.commands.v1" | "dsr.request-events.v1" | "dsr.participant-reports.v1" | "dsr.delivery-events.v1";
                partition: number | null;
                state: "read" | "stopped" | "denied";
                stopped_by: "records" | "bytes" | "time" | null;
                read_to_time: string | null;
                bytes: number;
                is_cut: boolean;
                left_from_time: string | null;
                kept_ms: number;
            }[];
            from_time: string;
            next_cursor: string | null;
        };
        AttestationBundle: {
            schema: 1;
            envelope: string;
            leaf: {
                index: number;
                entry: string;
            };
            inclusion: string[];
            checkpoint: string;
        };
        OperatorAudit: {
            entries: {
                id: string;
                time: string;
                action: string;
                by: string | null;
                role: string | null;
                workspace: string | null;
                subject_request_id: string | null;
                participant: string | null;
                delivery_id: string | null;
                record: string | null;
                service: string | null;
                key: string | null;
                approved_by: string | null;
                reason: string | null;
            }[];
            next_cursor: string | null;
        };
        ChangedRequests: {
            requests: {
                workspace: string;
                subject_request_id: string;
            }[];
            more: boolean;
        };
        RevealedIdentities: {
            workspace: string;
            subject_request_id: string;
            identities: {
                identity_type: string;
                identity_value: string;
            }[];
            group_id: string | null;
            callback_hosts: string[];
            extension_reason: string | null;
            decisions: {
                action: string;
                time: string;
                by: string;
                reason: string;
            }[];
        };
        OperatorReveal: {
            id: string;
            workspace: string;
            subject_request_id: string;
            state: "open" | "approved" | "used";
            asked_by: string;
            asked_role: string;
            asked_time: string;
            reason: string | null;
            approved_by: string | null;
            approved_time: string | null;
            ends_time: string;
        };
        OperatorRevealList: {
            reveals: components["schemas"]["OperatorReveal"][];
            next_cursor: string | null;
        };
        OperatorDestination: {
            workspace: string;
            host: string;
            state: "ok" | "failing" | "paused";
            last_attempt: {
                time: string;
                outcome: "delivered" | "rejected" | "gone" | "unreachable";
                http_status: number | null;
            };
            last_delivered_time: string | null;
            failing_since: string | null;
            paused_until: string | null;
            waiting: number;
            next_attempt_time: string | null;
        };
        OperatorDestinationList: {
            destinations: components["schemas"]["OperatorDestination"][];
            next_cursor: string | null;
            unavailable: string[];
        };
        OperatorDestinationDetail: {
            workspace: string;
            host: string;
            state: "ok" | "failing" | "paused";
            last_attempt: {
                time: string;
                outcome: "delivered" | "rejected" | "gone" | "unreachable";
                http_status: number | null;
            };
            last_delivered_time: string | null;
            failing_since: string | null;
            paused_until: string | null;
            waiting: number;
            next_attempt_time: string | null;
            requests: {
                subject_request_id: string;
                destination: string;
                callbacks: number;
                undelivered_since: string | null;
                next_attempt_time: string;
                failed_attempts: number;
                failing_since: string | null;
                postponed: boolean;
            }[];
        };
        OperatorParkedRecord: {
            service: "gateway" | "request" | "callback-dispatcher" | "results" | "ingestion";
            id: string;
            group: string;
            topic: string;
            partition: number;
            offset: string;
            key: string;
            workspace: string | null;
            subject_request_id: string | null;
            type: string | null;
            reason: string;
            since: string;
            kind: "blocking" | "waiting" | "aside";
            marked: boolean;
        };
        OperatorParkedList: {
            parked: components["schemas"]["OperatorParkedRecord"][];
            next_cursor: string | null;
            unavailable: string[];
        };
        OperatorParkedDetail: {
            service: "gateway" | "request" | "callback-dispatcher" | "results" | "ingestion";
            id: string;
            group: string;
            topic: string;
            partition: number;
            offset: string;
            key: string;
            workspace: string | null;
            subject_request_id: string | null;
            type: string | null;
            reason: string;
            since: string;
            kind: "blocking" | "waiting" | "aside";
            marked: boolean;
            behind: number;
            blocked_by: string | null;
            headers: {
                [key: string]: string;
            };
            other_headers: number;
            bytes: number;
            hash: string;
        };
        OperatorRedrive: {
            marked: number;
            marked_already: number;
            next_cursor: string | null;
        };
        OperatorDrop: {
            dropped: string;
            behind: number;
        };
        OperatorDropMany: {
            dropped: number;
            left: number;
            next_cursor: string | null;
        };
        OperatorTransparency: {
            size: number;
            checkpoint: string | null;
            verifier_key: string;
            uncovered_since: string | null;
            witnesses: {
                name: string;
                has_cosigned: boolean;
                since: string | null;
                reason: string | null;
            }[];
        };
        OperatorService: {
            service: string;
            state: "ok" | "degraded" | "unavailable";
            version: string | null;
            uptime_seconds: number | null;
            checks: {
                [key: string]: boolean;
            } | null;
            consumer_groups: {
                group: string;
                state: "joining" | "consuming" | "away";
                topics: {
                    topic: string;
                    lag: number;
                }[];
            }[];
            outboxes: {
                outbox: string;
                oldest_age_seconds: number;
            }[];
            overdue_work: {
                work: string;
                overdue_seconds: number;
            }[];
            parked: {
                blocking: number;
                aside: number;
            } | null;
            certificates: {
                version: "v2" | "v1";
                ends_time: string;
                days_left: number;
            }[];
            settings: {
                name: string;
                value: string | null;
                hidden: boolean;
            }[];
        };
        OperatorSystem: {
            services: components["schemas"]["OperatorService"][];
            topics: {
                name: string;
                exists: boolean;
                differences: string[];
            }[] | null;
        };
        OperatorWorkspace: {
            workspace: string;
            name: string;
            controller_id: string;
            class: string;
            created_time: string;
        };
        OperatorWorkspaceList: {
            workspaces: components["schemas"]["OperatorWorkspace"][];
            next_cursor: string | null;
        };
        OperatorWorkspaceDetail: {
            workspace: string;
            name: string;
            controller_id: string;
            class: string;
            created_time: string;
            after_erasure: "accept" | "drop" | "reject";
            device_matching: "anonymous" | "all";
            legal: {
                time_zone: string;
                holidays: string[];
                gdpr_days: number | null;
                ccpa_days: number | null;
                clock_start: "submitted" | "received";
            };
            limits: {
                name: string;
                limit: number | null;
            }[];
        };
        OperatorApiKey: {
            key: string;
            scopes: ("dsr" | "ingest")[];
            state: "active" | "expired" | "revoked";
            created_time: string;
            expires_time: string | null;
            revoked_time: string | null;
        };
        OperatorApiKeyList: {
            api_keys: components["schemas"]["OperatorApiKey"][];
        };
        OperatorMadeApiKey: {
            key: string;
            secret: string;
            scopes: ("dsr" | "ingest")[];
            created_time: string;
            expires_time: string | null;
            replaces: string | null;
            replaced_expires_time: string | null;
        };
        OperatorParticipant: {
            workspace: string;
            name: string;
            domain: string;
            types: ("access" | "portability" | "erasure")[];
            identity_types: string[] | null;
            created_time: string;
        };
        OperatorParticipantList: {
            participants: components["schemas"]["OperatorParticipant"][];
            next_cursor: string | null;
        };
        Error: {
            type: "about:blank";
            title: string;
            status: number;
            detail: string;
            errors: {
                reason: string;
                message: string;
            }[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        RequestId: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    signIn: {
        parameters: {
            query?: never;
        };
        responses: never;
    };
    finishSignIn: {
        parameters: {
            query?: {
                code?: string;
                state?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorSession"];
                };
            };
        };
    };
    useSignInLink: {
        parameters: {
            query?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInLink"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorSession"];
                };
            };
        };
    };
    readSession: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorSession"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    signOutEverywhere: {
        parameters: {
            query?: never;
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    readOverview: {
        parameters: {
            query?: {
                workspace?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorOverview"];
                };
            };
        };
    };
    listOperatorRequests: {
        parameters: {
            query?: {
                workspace?: string;
                id?: string;
                controller?: string;
                group?: string;
                status?: "pending" | "in_progress" | "completed" | "cancelled";
                type?: "access" | "portability" | "erasure";
                regulation?: "gdpr" | "ccpa";
                received_from?: string;
                received_to?: string;
                received_within?: string;
                older_than?: string;
                overdue?: "true" | "false";
                legal_state?: "on_track" | "at_risk" | "overdue" | "kept" | "missed";
                due_within?: string;
                ended_within?: string;
                callbacks?: "failing";
                order?: "received" | "due" | "ended";
                limit?: number;
                cursor?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorRequestList"];
                };
            };
        };
    };
    countOperatorRequests: {
        parameters: {
            query?: {
                workspace?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorRequestCounts"];
                };
            };
        };
    };
    readOperatorRequest: {
        parameters: {
            query?: never;
            path: {
                ws: string;
                srid: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorRequestStory"];
                };
            };
        };
    };
    listOperatorCallbacks: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            path: {
                ws: string;
                srid: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorCallbackList"];
                };
            };
        };
    };
    extendLegalDate: {
        parameters: {
            query?: never;
            header: {
                "If-Match": string;
            };
            path: {
                ws: string;
                srid: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorDecision"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorRequestStory"];
                };
            };
        };
    };
    cancelOnBehalf: {
        parameters: {
            query?: never;
            header: {
                "If-Match": string;
            };
            path: {
                ws: string;
                srid: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorDecision"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorRequestStory"];
                };
            };
        };
    };
    waiveParticipant: {
        parameters: {
            query?: never;
            header: {
                "If-Match": string;
            };
            path: {
                ws: string;
                srid: string;
                name: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorDecision"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["OperatorRequestStory"];
                };
            };
        };
    };
    replayOperatorCallback: {
        parameters: {
            query?: never;
            header: {
                "If-Match": string;
            };
            path: {
                ws: string;
                srid: string;
                delivery: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorDecision"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["OperatorCallback"];
                };
            };
        };
    };
    revealIdentities: {
        parameters: {
            query?: never;
            path: {
                ws: string;
                srid: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorDecision"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RevealedIdentities"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["OperatorReveal"];
                };
            };
        };
    };
    listReveals: {
        parameters: {
            query?: {
                state?: "open" | "approved" | "used";
                limit?: number;
                cursor?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorRevealList"];
                };
            };
        };
    };
    approveReveal: {
        parameters: {
            query?: never;
            path: {
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorDecision"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorReveal"];
                };
            };
        };
    };
    listOperatorEvents: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            path: {
                ws: string;
                srid: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorHistory"];
                };
            };
        };
    };
    readOperatorServices: {
        parameters: {
            query?: never;
            path: {
                ws: string;
                srid: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorRequestStates"];
                };
            };
        };
    };
    readOperatorAttestation: {
        parameters: {
            query?: {
                statement?: "1" | "2";
            };
            path: {
                ws: string;
                srid: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/vnd.opendsr-service.attestation-bundle.v1+json": components["schemas"]["AttestationBundle"];
                };
            };
        };
    };
    listOperatorLogEntries: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            path: {
                ws: string;
                srid: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorLogEntries"];
                };
            };
        };
    };
    listOperatorRecords: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                from?: string;
            };
            path: {
                ws: string;
                srid: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorRecords"];
                };
            };
        };
    };
    watchOperatorChanges: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "text/event-stream": components["schemas"]["ChangedRequests"];
                };
            };
        };
    };
    listOperatorAudit: {
        parameters: {
            query?: {
                workspace?: string;
                by?: string;
                action?: string;
                from?: string;
                to?: string;
                limit?: number;
                cursor?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorAudit"];
                };
            };
        };
    };
    listDestinations: {
        parameters: {
            query?: {
                workspace?: string;
                state?: "ok" | "failing" | "paused";
                limit?: number;
                cursor?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorDestinationList"];
                };
            };
        };
    };
    readDestination: {
        parameters: {
            query?: never;
            path: {
                ws: string;
                host: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorDestinationDetail"];
                };
            };
        };
    };
    listParked: {
        parameters: {
            query?: {
                service?: "gateway" | "request" | "callback-dispatcher" | "results" | "ingestion";
                workspace?: string;
                parked_reason?: string;
                kind?: "blocking" | "waiting" | "aside" | "not-aside";
                key?: string;
                limit?: number;
                cursor?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorParkedList"];
                };
            };
        };
    };
    readParked: {
        parameters: {
            query?: never;
            path: {
                service: "gateway" | "request" | "callback-dispatcher" | "results" | "ingestion";
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorParkedDetail"];
                };
            };
        };
    };
    redriveMany: {
        parameters: {
            query?: never;
            path: {
                service: "gateway" | "request" | "callback-dispatcher" | "results" | "ingestion";
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorManyRecords"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["OperatorRedrive"];
                };
            };
        };
    };
    dropMany: {
        parameters: {
            query?: never;
            path: {
                service: "gateway" | "request" | "callback-dispatcher" | "results" | "ingestion";
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorManyRecords"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorDropMany"];
                };
            };
        };
    };
    redriveOne: {
        parameters: {
            query?: never;
            header: {
                "If-Match": string;
            };
            path: {
                service: "gateway" | "request" | "callback-dispatcher" | "results" | "ingestion";
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorDecision"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["OperatorRedrive"];
                };
            };
        };
    };
    dropParked: {
        parameters: {
            query?: never;
            header: {
                "If-Match": string;
            };
            path: {
                service: "gateway" | "request" | "callback-dispatcher" | "results" | "ingestion";
                id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorDecision"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorDrop"];
                };
            };
        };
    };
    readSystem: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorSystem"];
                };
            };
        };
    };
    readTransparency: {
        parameters: {
            query?: never;
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorTransparency"];
                };
            };
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorWorkspaceList"];
                };
            };
        };
    };
    readWorkspace: {
        parameters: {
            query?: never;
            path: {
                ws: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorWorkspaceDetail"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            path: {
                ws: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorApiKeyList"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            path: {
                ws: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorCreateKey"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["OperatorMadeApiKey"];
                };
            };
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header: {
                "If-Match": string;
            };
            path: {
                ws: string;
                key: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorRotateKey"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["OperatorMadeApiKey"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header: {
                "If-Match": string;
            };
            path: {
                ws: string;
                key: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorDecision"];
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    listParticipantsOfWorkspace: {
        parameters: {
            query?: never;
            path: {
                ws: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorParticipantList"];
                };
            };
        };
    };
    listParticipants: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OperatorParticipantList"];
                };
            };
        };
    };
}
