//! From a request's name and parameters to its answer.

use lsp_server::{ErrorCode, ResponseError};
use lsp_types::request as ask;
use lsp_types::request::Request as _;
use lsp_types::{
    CodeActionParams, CompletionResponse, DocumentFormattingParams, DocumentSymbolParams,
    DocumentSymbolResponse, GotoDefinitionParams, GotoDefinitionResponse, HoverParams, Position,
    ReferenceParams, RenameParams, SemanticTokensParams, TextDocumentPositionParams, Uri,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use wander::index::NoRename;

use crate::features::{
    actions, completion, definition, format, hover, references, rename, signature, symbols, tokens,
};
use crate::findings::Pages;
use crate::workspace::{Folder, Script, Workspace};

type Answer = Result<Value, ResponseError>;

/// Answers a request about scripts. What is asked about a text that nobody has is answered with nothing.
pub(crate) fn answer(workspace: &Workspace, pages: &Pages, method: &str, params: Value) -> Answer {
    match method {
        ask::HoverRequest::METHOD => {
            let params: HoverParams = read(params)?;
            at(workspace, &params.text_document_position_params, hover::hover)
        }
        ask::GotoDefinition::METHOD => {
            let params: GotoDefinitionParams = read(params)?;
            at(workspace, &params.text_document_position_params, |folder, script, offset| {
                GotoDefinitionResponse::Array(definition::definition(folder, script, offset))
            })
        }
        ask::References::METHOD => {
            let params: ReferenceParams = read(params)?;
            let declared = params.context.include_declaration;
            at(workspace, &params.text_document_position, |folder, script, offset| {
                references::references(folder, script, offset, declared)
            })
        }
        ask::Completion::METHOD => {
            // How it was triggered makes no difference, and neither does how well that is said.
            let params: TextDocumentPositionParams = read(params)?;
            at(workspace, &params, |folder, script, offset| {
                CompletionResponse::Array(completion::completion(folder, script, offset))
            })
        }
        ask::SignatureHelpRequest::METHOD => {
            let params: TextDocumentPositionParams = read(params)?;
            at(workspace, &params, signature::signature)
        }
        ask::PrepareRenameRequest::METHOD => {
            let params: TextDocumentPositionParams = read(params)?;
            renamed(workspace, &params.text_document.uri, params.position, rename::prepare)
        }
        ask::Rename::METHOD => {
            let params: RenameParams = read(params)?;
            let place = params.text_document_position;
            renamed(workspace, &place.text_document.uri, place.position, |folder, script, offset| {
                rename::rename(folder, script, offset, &params.new_name)
            })
        }
        ask::DocumentSymbolRequest::METHOD => {
            let params: DocumentSymbolParams = read(params)?;
            whole(workspace, &params.text_document.uri, |folder, script| {
                DocumentSymbolResponse::Nested(symbols::symbols(folder, script))
            })
        }
        ask::SemanticTokensFullRequest::METHOD => {
            let params: SemanticTokensParams = read(params)?;
            whole(workspace, &params.text_document.uri, tokens::tokens)
        }
        ask::Formatting::METHOD => {
            let params: DocumentFormattingParams = read(params)?;
            whole(workspace, &params.text_document.uri, format::format)
        }
        ask::CodeActionRequest::METHOD => {
            let params: CodeActionParams = read(params)?;
            let quick_fix = lsp_types::CodeActionKind::QUICKFIX;
            let is_wanted = params.context.only.as_ref().is_none_or(|only| {
                only.iter().any(|kind| *kind == quick_fix || *kind == lsp_types::CodeActionKind::EMPTY)
            });
            whole(workspace, &params.text_document.uri, |folder, script| {
                let span = script.text.span(params.range, workspace.encoding);
                if is_wanted { actions::actions(folder, script, pages, span) } else { Vec::new() }
            })
        }
        _ => Err(error(ErrorCode::MethodNotFound, format!("there is no `{method}` here"))),
    }
}

/// An answer that tells of a fault.
pub(crate) fn error(code: ErrorCode, message: impl Into<String>) -> ResponseError {
    ResponseError { code: code as i32, message: message.into(), data: None }
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, ResponseError> {
    serde_json::from_value(params).map_err(|found| error(ErrorCode::InvalidParams, found.to_string()))
}

fn write(result: impl Serialize) -> Answer {
    serde_json::to_value(result).map_err(|found| error(ErrorCode::InternalError, found.to_string()))
}

fn whole<T: Serialize>(
    workspace: &Workspace,
    uri: &Uri,
    ask: impl FnOnce(&Folder<'_>, &Script) -> T,
) -> Answer {
    match workspace.script(uri) {
        Some((folder, script)) => write(ask(&folder, &script)),
        None => Ok(Value::Null),
    }
}

fn at<T: Serialize>(
    workspace: &Workspace,
    place: &TextDocumentPositionParams,
    ask: impl FnOnce(&Folder<'_>, &Script, u32) -> T,
) -> Answer {
    whole(workspace, &place.text_document.uri, |folder, script| {
        ask(folder, script, script.text.offset(place.position, workspace.encoding))
    })
}

/// What cannot be renamed fails with its reason, which editors show.
fn renamed<T: Serialize>(
    workspace: &Workspace,
    uri: &Uri,
    position: Position,
    ask: impl FnOnce(&Folder<'_>, &Script, u32) -> Result<T, NoRename>,
) -> Answer {
    let Some((folder, script)) = workspace.script(uri) else { return Ok(Value::Null) };
    let offset = script.text.offset(position, workspace.encoding);
    match ask(&folder, &script, offset) {
        Ok(result) => write(result),
        Err(reason) => Err(error(ErrorCode::RequestFailed, format!("cannot rename: {}", reason.0))),
    }
}
